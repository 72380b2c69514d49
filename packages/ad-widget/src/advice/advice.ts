import { statusOf } from '../delivery/delivery-error.ts';
import { formatOf, setting } from '../slots/attributes.ts';
import { OPENINGS } from '../slots/formats.ts';
import { type Obstacle, probe, unreachable } from './probe.ts';

/** Statuses of a URL that is not the API's: not found, no POST, or a page for every path. */
const NOT_THE_API = [200, 404, 405, 501];
const given = new Set<string>();
/** Why an API does not respond, determined once per page. */
const found = new Map<string, Promise<Obstacle>>();

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
  const obstacle = found.get(address) ?? unreachable(api, reason);
  found.set(address, obstacle);
  return obstacle;
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
  const leads = requested ? `leads to ${requested}` : 'is not a web address';
  return `data-base-url="${baseUrl}" ${leads}; give the server's address as in "https://blog.example", with http: or https: and without /public`;
}

/** The base URL as `fetch` resolves it; `undefined` when it is not a web address. */
function webAddress(baseUrl: string): URL | undefined {
  const url = URL.canParse(baseUrl, document.baseURI) ? new URL(baseUrl, document.baseURI) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}
