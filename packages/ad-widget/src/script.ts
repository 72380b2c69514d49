import { Client } from './client.ts';
import type { Consent } from './consent/consent.ts';
import { announce } from './queue.ts';

/** The script tag reads its own attributes; see the README for each. */
async function start({ dataset }: HTMLOrSVGScriptElement): Promise<void> {
  const { baseUrl, apiKey, mode } = dataset;
  if (baseUrl === undefined || !apiKey) throw new Error('data-base-url and data-api-key are required');
  // Only a rehearsal awaits another file. An unknown mode is a rehearsal, too, and requests nothing.
  const transport = mode ? (await import('./delivery/rehearsal.ts')).createRehearsal(mode) : undefined;
  // Unknown values of `consent` mean no consent.
  const ads = new Client(Object.assign({ baseUrl, apiKey, transport }, dataset as { consent?: Consent }));
  ads.mount(document);
  announce(ads);
  if (location.search.includes('broadsheet-debug')) (await import('./advice/overlay.ts')).showOverlay(ads);
}

const script = document.currentScript;
// A page works without ads: their failures must not stop it.
if (script) start(script).catch((cause) => console.warn('broadsheet:', cause));
else console.warn('broadsheet: load it without type="module"');
