import { Client } from './client.ts';
import type { Consent } from './consent/consent.ts';
import { announce } from './queue.ts';

/** The script tag reads its own attributes; see the README for each. */
async function start({ dataset }: HTMLOrSVGScriptElement): Promise<void> {
  const { baseUrl, apiKey, mode } = dataset;
  if (baseUrl === undefined || !apiKey) throw new Error('data-base-url and data-api-key are required');
  // Nothing is awaited but in a rehearsal: the ads of a page come with the script. A mode nobody knows buys nothing.
  const transport = mode ? (await import('./delivery/rehearsal.ts')).createRehearsal(mode) : undefined;
  // Unknown words of consent mean none.
  const ads = new Client(Object.assign({ baseUrl, apiKey, transport }, dataset as { consent?: Consent }));
  ads.mount(document);
  announce(ads);
  if (location.search.includes('broadsheet-debug')) (await import('./advice/overlay.ts')).showOverlay(ads);
}

const script = document.currentScript;
// A page works without ads: none of their failures stops it.
if (script) start(script).catch((cause) => console.warn('broadsheet:', cause));
else console.warn('broadsheet: load it without type="module"');
