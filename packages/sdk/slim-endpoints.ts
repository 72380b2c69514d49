import { ENDPOINTS } from '@broadsheet/contract';
import type { Plugin } from 'esbuild';

/** The endpoint table with what a call needs, as it is published: failures are for types. */
export const slimEndpoints: Plugin = {
  name: 'slim-endpoints',
  setup(build) {
    const rows = Object.entries(ENDPOINTS).map(([id, row]) => {
      const { failures: _failures, ...needed } = row;
      return [id, needed];
    });
    const contents = `export const ENDPOINTS = ${JSON.stringify(Object.fromEntries(rows))};
export const ENDPOINT_IDS = /* @__PURE__ */ Object.keys(ENDPOINTS);`;
    build.onLoad({ filter: /contract[\\/]src[\\/]endpoints\.ts$/ }, () => ({ contents, loader: 'js' }));
  },
};
