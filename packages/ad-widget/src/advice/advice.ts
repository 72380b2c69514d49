import { statusOf } from '../delivery/delivery-error.ts';
import { formatOf, setting } from '../slots/attributes.ts';
import { OPENINGS } from '../slots/formats.ts';
import { after } from '../timer.ts';

/** Statuses that suggest that the URL is not the API's: not found, no POST, or a page for every path. */
const NOT_THE_API = [200, 404, 405, 501];
/** Milliseconds to wait for the report of a policy that blocked a request. */
const GRACE = 100;
const PATIENCE = 5000;

/** What stops a request. With `advice`, the publisher can fix it; a `reason` is in the reader's browser. */
type Obstacle = { readonly advice?: string | undefined; readonly reason?: 'blocked' };

const given = new Set<string>();
/** The searches in progress for why an API does not respond. Their results are not kept: they are true for a moment. */
const searches = new Map<string, Promise<Obstacle>>();

/**
 * Prints, once, what the publisher can do about a failure.
 *
 * @param address The API's base URL with the `cause` of the failure, or an image's URL without one.
 * @param cause What was thrown, or the element that is wrong: the script, or what could not be made a slot.
 * @returns `blocked` when something in the browser stops the API.
 */
export async function advise(address: string, cause?: unknown): Promise<string | undefined> {
  const { advice, reason }: Obstacle =
    cause instanceof Element ? { advice: adviceOnElement(cause) } : await adviceOn(address, cause);
  if (advice && !given.has(advice)) {
    given.add(advice);
    console.warn(`broadsheet: ${advice}`);
  }
  return reason;
}

/** Why `host` is not a slot; `undefined` when it is one. */
export function unknownFormat(host: Element): string | undefined {
  if (formatOf(host)) return undefined;
  return `unknown format "${setting(host, 'format') ?? ''}" of ${tagOf(host)}; use one of ${Object.keys(OPENINGS).join(', ')}`;
}

const tagOf = (element: Element): string => `${element.outerHTML.split('>')[0]}>`;

function adviceOnElement(element: Element): string | undefined {
  if (element instanceof HTMLScriptElement) return 'data-base-url and data-api-key are required';
  if (!formatOf(element) || !element.childElementCount) return unknownFormat(element);
  return `${tagOf(element)} contains a part of the page, which its ad hides; HTML does not close <broadsheet-slot … />: write </broadsheet-slot>`;
}

async function adviceOn(address: string, cause: unknown): Promise<Obstacle> {
  if (cause === undefined) return probe(address, true);
  const api = webAddress(address);
  const status = statusOf(cause);
  const reason = cause instanceof Error ? cause.message : String(cause);
  const slow = `${address} is slow: no response to a delivery within 15 s; the ads may have been counted, so they are requested again only if it counts a repeat once`;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return { advice: slow };
  if (status || !api) return { advice: adviceOnResponse(address, status, reason) };
  const search = searches.get(address) ?? unreachable(api, reason).finally(() => searches.delete(address));
  searches.set(address, search);
  return search;
}

function adviceOnResponse(address: string, status: number, reason: string): string {
  if (status === 401) return `${address} does not know this API key (${reason}); check data-api-key`;
  if (status === 403) return `clicks from this page are refused (${reason}); ${allowClicks()}`;
  if (NOT_THE_API.includes(status)) return `${reason.replace(/: $/, '')}; ${correctBase(address)}`;
  return status ? reason : correctBase(address);
}

function allowClicks(): string {
  if (location.protocol === 'file:') return 'it was opened from a file and has no origin; open it over http';
  if (window.origin === 'null')
    return 'its frame has no origin, because the sandbox lacks "allow-same-origin"; add it, or put the slots outside the frame';
  return `the server's operator can allow them: broadsheet blogs domains BLOG --add ${location.hostname}`;
}

function correctBase(baseUrl: string): string {
  const requested = webAddress(baseUrl)?.href;
  const leads = requested ? `leads to ${requested}` : 'is not a web URL';
  return `data-base-url="${baseUrl}" ${leads}; use the server's URL, such as "https://blog.example", with http: or https: and without /public`;
}

/** The base URL as `fetch` resolves it; `undefined` when it is not a web URL. */
function webAddress(baseUrl: string): URL | undefined {
  const url = URL.canParse(baseUrl, document.baseURI) ? new URL(baseUrl, document.baseURI) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Finds out why an API gave no response: probes a path that no blocker matches, then the one that most do. */
async function unreachable({ href, protocol }: URL, reason: string): Promise<Obstacle> {
  const base = href.replace(/\/+$/, '');
  // It returns 200 without a key, so that the console shows no misleading error.
  const health = await probe(`${base}/healthz`);
  if (health.advice) return health;
  if (!health.responded) {
    const mixed = location.protocol === 'https:' && protocol === 'http:' ? '; an https page needs it over https' : '';
    const question = `is it up, and is data-base-url its URL, including http: or https:${mixed}?`;
    return { advice: `no response from ${base} (${reason}); ${question}` };
  }
  const ads = await probe(`${base}/public/ads/formats`);
  if (ads.advice) return ads;
  const cors = `"Access-Control-Allow-Origin: ${window.origin}" and "Access-Control-Allow-Headers: X-API-Key, Content-Type"`;
  const stops = `something in this browser stops ${base}/public/ads/ (${reason}): an ad blocker? Switch it off for this page; readers who keep theirs see your fallback`;
  const advice = ads.responded ? `this page cannot read the response (${reason}); it must send ${cors}` : stops;
  return { advice: `${base} responds, but ${advice}`, ...(!ads.responded && { reason: 'blocked' }) };
}

/** Requests a URL again to find out whether anything responds and whether the page's policy blocks it. */
async function probe(address: string, image = false): Promise<Obstacle & { readonly responded: boolean }> {
  let advice: string | undefined;
  const record = (event: SecurityPolicyViolationEvent): void => {
    const { blockedURI, disposition } = event;
    const isThis = address.startsWith(blockedURI) || blockedURI.startsWith(address);
    // A report-only policy blocks nothing.
    if (disposition === 'enforce' && isThis) advice = widenPolicy(event, address);
  };
  document.addEventListener('securitypolicyviolation', record);
  // Any response is enough, even one that this page cannot read.
  const head = { method: 'HEAD', mode: 'no-cors', credentials: 'omit', signal: AbortSignal.timeout(PATIENCE) } as const;
  const request = image ? Object.assign(new Image(), { src: address }).decode() : fetch(address, head);
  const responded = await Promise.allSettled([request]).then(([{ status }]) => status === 'fulfilled');
  if (!responded) await new Promise<void>((resolve) => after(GRACE, resolve));
  document.removeEventListener('securitypolicyviolation', record);
  return { responded, advice };
}

/**
 * How the page's policy must change to allow the origin of `address`. A missing directive is written with the sources
 * of `default-src`, which it replaces, so that the page's own requests stay allowed.
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
