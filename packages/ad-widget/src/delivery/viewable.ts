import type { Context } from '../context.ts';
import { after, type Timer } from '../timer.ts';
import type { Delivered } from './creative.ts';
import { isExpired } from './pool.ts';

/** Milliseconds for which reports of viewable ads are collected. */
const WAIT = 2000;
/** Tokens in one report (docs/decided.md). */
const MOST = 20;

type Reporter = Pick<Context, 'baseUrl' | 'consent' | 'signal'>;

/** The ads that are not reported yet, with their clients. */
const waiting = new Map<Delivered, Reporter>();
let timer: Timer | undefined;

/**
 * Reports an ad that was viewable to the server, soon or when the page is hidden. Nothing is reported without consent,
 * to a server that does not name a path for it, or to an origin other than the API's.
 */
export function reportViewable(client: Reporter, delivered: Delivered): void {
  // Some readers disable beacons.
  if (!urlOf(client, delivered) || !navigator.sendBeacon) return;
  waiting.set(delivered, client);
  // Adding a listener a second time has no effect.
  document.addEventListener('visibilitychange', send);
  addEventListener('pagehide', send);
  timer ??= after(WAIT, send);
}

function send(): void {
  clearTimeout(timer);
  const reports = new Map<string, Delivered[]>();
  for (const [delivered, client] of waiting) {
    const url = urlOf(client, delivered);
    if (!url || client.signal.aborted || !client.consent.ads || isExpired(delivered)) waiting.delete(delivered);
    else reports.set(url, [...(reports.get(url) ?? []), delivered]);
  }
  for (const [url, ads] of reports) {
    for (let at = 0; at < ads.length; at += MOST) {
      const some = ads.slice(at, at + MOST);
      // A beacon with text needs no preflight. The browser refuses beacons beyond 64 KiB in flight; the rest waits.
      if (!navigator.sendBeacon(url, some.map(({ ad }) => ad.clickToken).join('\n'))) break;
      for (const sent of some) waiting.delete(sent);
    }
  }
  timer = waiting.size > 0 ? after(WAIT, send) : undefined;
}

function urlOf({ baseUrl }: Reporter, { ad }: Delivered): string | undefined {
  if (!ad.viewableUrl) return undefined;
  const url = new URL(baseUrl.replace(/\/+$/, '') + ad.viewableUrl, document.baseURI);
  return url.origin === new URL(baseUrl, document.baseURI).origin ? url.href : undefined;
}
