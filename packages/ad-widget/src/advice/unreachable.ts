import { probe } from './probe.ts';
import { widenPolicy } from './widen-policy.ts';

/** What stands between the page and the API. */
export interface Obstacle {
  /** How the publisher can remove it. */
  readonly advice: string;
  /** `blocked` for something in the reader's browser. */
  readonly reason?: 'blocked' | undefined;
}

/**
 * Finds out why an API gave no answer: asks for paths of it, from one that no blocker matches to the one that most do.
 */
export async function unreachable(api: URL, reason: string): Promise<Obstacle> {
  const { origin, href } = api;
  const base = href.replace(/\/+$/, '');
  // Answers 200 without a key: the console shows no misleading error.
  const health = await probe(`${base}/healthz`);
  if (health.violation) return { advice: widenPolicy(health.violation, origin) };
  if (!health.answered) {
    const mixed =
      location.protocol === 'https:' && api.protocol === 'http:' ? '; an https page needs it over https' : '';
    return {
      advice: `no answer from ${base} (${reason}); is it up, and is data-base-url its address, http: or https: included${mixed}?`,
    };
  }
  const ads = await probe(`${base}/public/ads/formats`);
  if (ads.violation) return { advice: widenPolicy(ads.violation, origin) };
  if (ads.answered) {
    return {
      advice: `${base} answers, but not for this page to read (${reason}); it must answer "Access-Control-Allow-Origin: ${window.origin}" and "Access-Control-Allow-Headers: X-API-Key, Content-Type"`,
    };
  }
  return {
    reason: 'blocked',
    advice: `${base} answers, but something in this browser stops ${base}/public/ads/ (${reason}): an ad blocker? Switch it off for this page; readers who keep theirs see your fallback`,
  };
}
