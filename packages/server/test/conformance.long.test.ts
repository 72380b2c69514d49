import { casesFor, conformanceSnapshot, transportCases } from '@broadsheet/conformance';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { type ServerProcess, serve } from './broadsheet.ts';
import { COMMON, countsOf, sendAs } from './conformance-target.ts';

describe('conformance of the command', { shuffle: false }, () => {
  let server: ServerProcess;
  let store: SqlStore;
  const folder = temporaryFolder();
  beforeAll(async () => {
    const cwd = await folder.write({ 'snapshot.json': JSON.stringify(conformanceSnapshot) });
    server = await serve(['--import', 'snapshot.json'], { cwd, env: { TRUST_PROXY: '1' } });
    store = await openStore(`sqlite:${folder.join('broadsheet.db')}`);
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  const base = { ...COMMON, fetch: sendAs, adCounts: (adId: string) => countsOf(store, adId) };
  const { cases } = casesFor({ ...base, baseUrl: '' });
  // The command starts the server that the conformance tests of `pnpm test` check.
  for (const { section, name, run } of cases.filter((one) => transportCases.includes(one))) {
    test(`${section} ${name}`, () => run({ ...base, baseUrl: server.url, docsUrl: server.url }));
  }
});
