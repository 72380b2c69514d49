import { statusOf } from '../delivery/transport.ts';
import { probe } from './probe.ts';
import { unknownFormat } from './unknown-format.ts';
import { unreachable } from './unreachable.ts';
import { widenPolicy } from './widen-policy.ts';

/** Statuses of an address that is not the API: no such page, no POST there, or a page for every path. */
const NOT_THE_API = [200, 404, 405, 501];
const given = new Set<string>();

/**
 * Prints, once, what the publisher can do about something that could not be had.
 *
 * @param address The API's base with the `cause` of the failure, or an image's address without one.
 * @param cause What was thrown, or the element that could not be made a slot.
 */
export async function advise(address: string, cause?: unknown): Promise<void> {
  const advice = cause instanceof Element ? unknownFormat(cause) : await adviceOn(address, cause);
  if (!advice || given.has(advice)) return;
  given.add(advice);
  console.warn(`broadsheet: ${advice}`);
}

async function adviceOn(address: string, cause: unknown): Promise<string | undefined> {
  if (cause === undefined) {
    const { violation } = await probe(address, true);
    return violation && widenPolicy(violation, new URL(address).origin);
  }
  const status = statusOf(cause);
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (status === 401) return `${address} does not know this API key (${reason}); check data-api-key`;
  if (status === 403) return `clicks from this page are refused (${reason}); ${allowClicks()}`;
  if (NOT_THE_API.includes(status)) return `${reason.replace(/: $/, '')}; ${mendBase(address)}`;
  if (status) return reason;
  const api = webAddress(address);
  return api ? unreachable(api, reason) : mendBase(address);
}

function allowClicks(): string {
  if (location.protocol === 'file:') return 'it was opened from a file and has no origin; open it over http';
  if (window.origin === 'null') {
    return 'its frame has no origin, as the sandbox lacks "allow-same-origin"; add that, or put the slots outside the frame';
  }
  return `who runs the server can allow them: broadsheet blogs domains BLOG --add ${location.hostname}`;
}

function mendBase(baseUrl: string): string {
  const asked = webAddress(baseUrl);
  const leads = asked ? `leads to ${asked.href}` : 'is no web address';
  return `data-base-url="${baseUrl}" ${leads}; give the server's address as in "https://blog.example", with http: or https: and without /public`;
}

/** What `fetch` makes of the base; `undefined` when it cannot. */
function webAddress(baseUrl: string): URL | undefined {
  try {
    const url = new URL(baseUrl, document.baseURI);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}
