import { startClient } from './client.ts';
import type { Consent } from './consent.ts';
import { announce } from './queue.ts';
import type { Transport } from './transport.ts';

/** The script tag reads its own attributes; see the README for each. */
function start({ dataset }: HTMLOrSVGScriptElement): void {
  const { baseUrl, apiKey, client, consent, margin, mode } = dataset;
  if (baseUrl === undefined || !apiKey) {
    console.warn('broadsheet: no data-base-url or data-api-key');
    return;
  }
  const delivered = document.querySelector('script[data-broadsheet-delivered]')?.textContent;
  const begin = (transport?: Transport): void => {
    const ads = startClient({
      baseUrl,
      apiKey,
      client,
      margin,
      transport,
      // What is none of the words means no consent.
      consent: consent as Consent | undefined,
      delivered: delivered ? JSON.parse(delivered) : undefined,
    });
    ads.mount(document);
    announce(ads);
    if (/broadsheet-debug/.test(location.search))
      import('./overlay.ts').then(({ showOverlay }) => showOverlay(ads), sayWhy);
  };
  if (mode === 'mock') import('./rehearsal.ts').then(({ createRehearsal }) => begin(createRehearsal())).catch(sayWhy);
  else begin();
}

/** A page works without ads: none of their failures stops it. */
function sayWhy(cause: unknown): void {
  console.warn('broadsheet: not started', cause);
}

try {
  const script = document.currentScript;
  if (script) start(script);
} catch (cause) {
  sayWhy(cause);
}
