import { probe } from './probe.ts';

/** What prevents the page from reaching the API. */
export interface Obstacle {
  /** How the publisher can remove it. */
  readonly advice?: string | undefined;
  /** `blocked` for something in the reader's browser. */
  readonly reason?: 'blocked';
}

/** Finds out why an API gave no response: probes a path that no blocker matches, then the one that most do. */
export async function unreachable({ href, protocol }: URL, reason: string): Promise<Obstacle> {
  const base = href.replace(/\/+$/, '');
  // Answers 200 without a key: the console shows no misleading error.
  const health = await probe(`${base}/healthz`);
  if (health.advice) return health;
  if (!health.answered) {
    const mixed = location.protocol === 'https:' && protocol === 'http:' ? '; an https page needs it over https' : '';
    return {
      advice: `no answer from ${base} (${reason}); is it up, and is data-base-url its address, http: or https: included${mixed}?`,
    };
  }
  const ads = await probe(`${base}/public/ads/formats`);
  if (ads.advice) return ads;
  if (ads.answered) {
    return {
      advice: `${base} answers, but this page may not read the response (${reason}); it must send "Access-Control-Allow-Origin: ${window.origin}" and "Access-Control-Allow-Headers: X-API-Key, Content-Type"`,
    };
  }
  return {
    reason: 'blocked',
    advice: `${base} answers, but something in this browser stops ${base}/public/ads/ (${reason}): an ad blocker? Switch it off for this page; readers who keep theirs see your fallback`,
  };
}
