import { startClient } from './client.ts';
import type { Consent } from './consent.ts';
import { announce } from './queue.ts';

/** The script tag reads its own attributes; see the README for each. */
function start(script: HTMLOrSVGScriptElement | null): void {
  if (!(script instanceof HTMLScriptElement)) return;
  const { baseUrl, apiKey, client, consent, margin } = script.dataset;
  if (baseUrl === undefined || !apiKey) {
    console.warn('broadsheet: the script tag needs data-base-url and data-api-key', script);
    return;
  }
  const ads = startClient({
    baseUrl,
    apiKey,
    client,
    margin,
    // What is none of the words means no consent.
    consent: consent as Consent | undefined,
  });
  ads.mount(document);
  announce(ads);
}

try {
  start(document.currentScript);
} catch (cause) {
  // A page works without ads; an advertisement never stops it.
  console.warn('broadsheet: not started', cause);
}
