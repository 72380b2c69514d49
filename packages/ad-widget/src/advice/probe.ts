import { after } from '../timer.ts';

/** Milliseconds to wait for the report of a policy that blocked a request. */
const GRACE = 100;
const PATIENCE = 5000;

/** What prevents the page from reaching the API or an image. */
export interface Obstacle {
  /** How the publisher can remove it. */
  readonly advice?: string | undefined;
  /** `blocked` for something in the reader's browser. */
  readonly reason?: 'blocked';
}

/** Finds out why an API gave no response: probes a path that no blocker matches, then the one that most do. */
export async function unreachable({ href, protocol }: URL, reason: string): Promise<Obstacle> {
  const base = href.replace(/\/+$/, '');
  // It returns 200 without a key, so that the console shows no misleading error.
  const health = await probe(`${base}/healthz`);
  if (health.advice) return health;
  if (!health.responded) {
    const mixed = location.protocol === 'https:' && protocol === 'http:' ? '; an https page needs it over https' : '';
    const question = `is it up, and is data-base-url its address, http: or https: included${mixed}?`;
    return { advice: `no response from ${base} (${reason}); ${question}` };
  }
  const ads = await probe(`${base}/public/ads/formats`);
  if (ads.advice) return ads;
  const cors = `"Access-Control-Allow-Origin: ${window.origin}" and "Access-Control-Allow-Headers: X-API-Key, Content-Type"`;
  const stops = `something in this browser stops ${base}/public/ads/ (${reason}): an ad blocker? Switch it off for this page; readers who keep theirs see your fallback`;
  const advice = ads.responded ? `this page may not read the response (${reason}); it must send ${cors}` : stops;
  return { advice: `${base} responds, but ${advice}`, ...(!ads.responded && { reason: 'blocked' }) };
}

/** Requests a URL again to find out whether anything responds and whether the page's policy blocks it. */
export async function probe(address: string, image = false): Promise<Obstacle & { readonly responded: boolean }> {
  let advice: string | undefined;
  const record = (event: SecurityPolicyViolationEvent): void => {
    const { blockedURI, disposition } = event;
    const isThis = address.startsWith(blockedURI) || blockedURI.startsWith(address);
    // A policy that only reports blocks nothing.
    if (disposition === 'enforce' && isThis) advice = widenPolicy(event, address);
  };
  document.addEventListener('securitypolicyviolation', record);
  // Any response will do, even one that this page may not read.
  const head = { method: 'HEAD', mode: 'no-cors', credentials: 'omit', signal: AbortSignal.timeout(PATIENCE) } as const;
  const request = image ? Object.assign(new Image(), { src: address }).decode() : fetch(address, head);
  const responded = await Promise.allSettled([request]).then(([{ status }]) => status === 'fulfilled');
  if (!responded) await new Promise<void>((resolve) => after(GRACE, resolve));
  document.removeEventListener('securitypolicyviolation', record);
  return { responded, advice };
}

/**
 * How the page's policy must change to allow the origin of `address`. A missing directive is written with the sources of
 * `default-src`, which it replaces: what the page itself requests must stay allowed.
 */
function widenPolicy({ originalPolicy, effectiveDirective }: SecurityPolicyViolationEvent, address: string): string {
  const { origin } = new URL(address);
  const directives = originalPolicy.split(';').map((directive) => directive.trim());
  const find = (name: string): string | undefined => directives.find((directive) => directive.split(/\s/)[0] === name);
  const present = find(effectiveDirective);
  const [, ...sources] = (present ?? find('default-src') ?? '').split(/\s+/);
  // Of the quoted sources only 'self' is an origin.
  const retained = sources.filter((source) => source === "'self'" || !source.startsWith("'"));
  const widened = [effectiveDirective, ...retained, origin].join(' ');
  const change = present ? `change its "${present}" to` : 'add';
  return `the page's Content-Security-Policy blocks ${origin}; ${change} "${widened}"`;
}
