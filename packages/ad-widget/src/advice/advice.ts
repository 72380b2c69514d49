import { statusOf } from '../delivery/delivery-error.ts';
import { formatOf, setting } from '../slots/attributes.ts';
import { OPENINGS } from '../slots/formats.ts';
import { probe } from './probe.ts';
import { type Obstacle, unreachable } from './unreachable.ts';

/** Statuses of a URL that is not the API's: not found, no POST, or a page for every path. */
const NOT_THE_API = [200, 404, 405, 501];
const given = new Set<string>();
/** Why an API does not answer, determined once per page. */
const found = new Map<string, Promise<Obstacle>>();

/**
 * Prints, once, what the publisher can do about a failure.
 *
 * @param address The API's base URL with the `cause` of the failure, or an image's URL without one.
 * @param cause What was thrown, or the element that could not be made a slot.
 * @returns `blocked` when something in the browser stops the API.
 */
export async function advise(address: string, cause?: unknown): Promise<string | undefined> {
  const { advice, reason } =
    cause instanceof Element ? { advice: adviceOnSlot(cause) } : await adviceOn(address, cause);
  if (advice && !given.has(advice)) {
    given.add(advice);
    console.warn(`broadsheet: ${advice}`);
  }
  return reason;
}

/** Why `host` is not a slot; `undefined` when it is one. */
export function unknownFormat(host: Element): string | undefined {
  if (formatOf(host)) return undefined;
  const [tag] = host.outerHTML.split('>');
  return `unknown format "${setting(host, 'format') ?? ''}" of ${tag}>; use one of ${Object.keys(OPENINGS).join(', ')}`;
}

function adviceOnSlot(host: Element): string | undefined {
  const mistake = unknownFormat(host);
  if (mistake || !host.childElementCount) return mistake;
  const [tag] = host.outerHTML.split('>');
  return `${tag}> contains a part of the page, which its ad hides; HTML does not close <broadsheet-slot … />: write </broadsheet-slot>`;
}

async function adviceOn(address: string, cause: unknown): Promise<Obstacle> {
  if (cause === undefined) return probe(address, true);
  const api = webAddress(address);
  if (statusOf(cause) || !api || isSlow(cause)) return { advice: adviceOnAnswer(address, cause) };
  let obstacle = found.get(address);
  if (!obstacle) {
    obstacle = unreachable(api, wordsOf(cause));
    found.set(address, obstacle);
  }
  return obstacle;
}

function adviceOnAnswer(address: string, cause: unknown): string {
  const status = statusOf(cause);
  const reason = wordsOf(cause);
  if (isSlow(cause))
    return `${address} is slow: no answer to a delivery within 15 s; its slots stay empty, as the ads may have been counted`;
  if (status === 401) return `${address} does not know this API key (${reason}); check data-api-key`;
  if (status === 403) return `clicks from this page are refused (${reason}); ${allowClicks()}`;
  if (NOT_THE_API.includes(status)) return `${reason.replace(/: $/, '')}; ${correctBase(address)}`;
  return status ? reason : correctBase(address);
}

function isSlow(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError';
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function allowClicks(): string {
  if (location.protocol === 'file:') return 'it was opened from a file and has no origin; open it over http';
  if (window.origin === 'null') {
    return 'its frame has no origin, because the sandbox lacks "allow-same-origin"; add it, or put the slots outside the frame';
  }
  return `the server's operator can allow them: broadsheet blogs domains BLOG --add ${location.hostname}`;
}

function correctBase(baseUrl: string): string {
  const requested = webAddress(baseUrl);
  const leads = requested ? `leads to ${requested.href}` : 'is not a web address';
  return `data-base-url="${baseUrl}" ${leads}; give the server's address as in "https://blog.example", with http: or https: and without /public`;
}

/** The base URL as `fetch` resolves it; `undefined` when it is not a web address. */
function webAddress(baseUrl: string): URL | undefined {
  try {
    const url = new URL(baseUrl, document.baseURI);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}
