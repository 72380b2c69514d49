import { probe } from './probe.ts';
import { widenPolicy } from './widen-policy.ts';

/** What stands between the page and an API that gave it no answer, found out by asking for less and less harmless paths. */
export async function unreachable(api: URL, reason: string): Promise<string> {
  const { origin, href } = api;
  const base = href.replace(/\/+$/, '');
  // Answers 200 without a key: the console shows no error that is none.
  const health = await probe(`${base}/healthz`);
  if (health.violation) return widenPolicy(health.violation, origin);
  if (!health.answered) {
    const mixed =
      location.protocol === 'https:' && api.protocol === 'http:' ? '; an https page needs it over https' : '';
    return `no answer from ${base} (${reason}); is it up, and is data-base-url its address, http: or https: included${mixed}?`;
  }
  const ads = await probe(`${base}/public/ads/formats`);
  if (ads.violation) return widenPolicy(ads.violation, origin);
  return ads.answered
    ? `${base} answers, but not for this page to read (${reason}); it must answer "Access-Control-Allow-Origin: ${window.origin}" and "Access-Control-Allow-Headers: X-API-Key, Content-Type"`
    : `${base} answers, but something in this browser stops ${base}/public/ads/ (${reason}): an ad blocker? Switch it off for this page; readers who keep theirs see your fallback`;
}
