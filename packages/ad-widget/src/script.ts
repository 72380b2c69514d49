import { Client } from './client.ts';
import type { Consent } from './consent/consent-platform.ts';
import { explain } from './load-on-demand.ts';
import { announce } from './queue.ts';

/** The script tag reads its own attributes; see the README for each. */
async function start(script: HTMLOrSVGScriptElement | null): Promise<void> {
  if (!script) throw new Error('load it without type="module"');
  const { baseUrl, apiKey, mode, ...settings } = script.dataset;
  if (baseUrl === undefined || !apiKey) return explain('', script);
  // Only a rehearsal awaits another file. An unknown mode is a rehearsal, too, and requests nothing.
  const transport = mode ? (await import('./delivery/rehearsal.ts')).createRehearsal(mode) : undefined;
  // Unknown values of `consent` mean no consent.
  const ads = new Client({ ...(settings as { consent?: Consent }), baseUrl, apiKey, transport });
  ads.mount(document);
  announce(ads);
}

// A page works without ads: their failures must not stop it.
start(document.currentScript).catch((cause) => console.warn(`broadsheet: ${cause}`));
