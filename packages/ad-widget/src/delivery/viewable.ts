import { after } from '../timer.ts';
import type { Delivered, Transport } from './creative.ts';

/** Milliseconds in which ads that become viewable share a report. */
const WAIT = 2000;
/** Tokens in one report (docs/decided.md). */
const MOST = 20;

/** The click tokens that are not reported yet, by URL. */
const waiting = new Map<string, string[]>();

/**
 * Reports an ad that was viewable to the server, soon or when the page is hidden. Nothing is reported without consent,
 * to a server that does not name a path for it, or to an origin other than the API's.
 */
export function view(
  baseUrl: string,
  { headers }: Transport,
  consent: { readonly ads: boolean },
  { ad }: Delivered,
): void {
  const path = headers?.get('Broadsheet-Viewable');
  if (!path || !consent.ads) return;
  const url = new URL(baseUrl.replace(/\/+$/, '') + path, document.baseURI);
  if (url.origin !== new URL(baseUrl, document.baseURI).origin) return;
  if (waiting.size === 0) {
    document.addEventListener('visibilitychange', send);
    addEventListener('pagehide', send);
  }
  const tokens = waiting.get(url.href) ?? [];
  if (tokens.push(ad.clickToken) === 1) after(WAIT, send);
  waiting.set(url.href, tokens);
}

function send(): void {
  for (const [url, tokens] of waiting) {
    // A beacon with text needs no preflight. The browser refuses beacons beyond 64 KiB in flight; the rest waits.
    while (tokens.length > 0 && navigator.sendBeacon?.(url, tokens.slice(0, MOST).join('\n'))) tokens.splice(0, MOST);
    if (tokens.length > 0) after(WAIT, send);
  }
}
