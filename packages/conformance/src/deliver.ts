import { AdDeliveryResult, AdDeliverySlotResult } from '@broadsheet/contract/schemas';
import { equal, holds, matches, present } from './expect.ts';
import { type RequestOptions, send, type TargetResponse } from './send.ts';
import { conforms } from './shapes.ts';
import { ok } from './success.ts';
import { filledFormat, once, survey } from './survey.ts';
import { type AdCounts, type Target, Unchecked } from './target.ts';

/** One result of a delivery: an ad or an unfilled slot. */
export interface Delivered {
  readonly filled: boolean;
  readonly slotId?: string;
  readonly format?: string;
  readonly id: string;
  readonly clickToken: string;
  readonly title?: string | null;
  readonly [field: string]: unknown;
}

const CLICK = '/public/ads/tracking/click';
/** How many hosts are tried before the domains of a blog count as unknown. */
const MAX_CANDIDATES = 200;

/** Checks the fields of one result of a delivery. */
function checkDelivered(ad: Delivered, at: string, slot?: { slotId: string; format: string }): void {
  conforms(slot ? AdDeliverySlotResult : AdDeliveryResult, ad, at);
  equal([ad.slotId, ad.format], [slot?.slotId, slot?.format], `${at}: slotId and format`);
  if (ad.filled) matches(ad.clickToken, /^[\w-]+\.[\w-]+\.[\w-]+$/, `${at}.clickToken`);
}

/** Asks for one ad. */
export async function deliver(target: Target, format: string, options?: RequestOptions): Promise<Delivered> {
  const ad = ok(await send(target, `/public/ads/formats/${format}`, options)) as Delivered;
  checkDelivered(ad, format);
  return ad;
}

/** Sends a batch without checking the response. */
export const sendBatch = (target: Target, body: unknown, options?: RequestOptions): Promise<TargetResponse> =>
  send(target, '/public/ads/formats', { json: body, ...options });

/** Asks for an ad for each format, in slots with these ids, by default `s0`, `s1`, ... */
export async function deliverBatch(
  target: Target,
  formats: readonly string[],
  slotIds: readonly string[] = [],
): Promise<readonly Delivered[]> {
  const slots = formats.map((format, index) => ({ slotId: slotIds[index] ?? `s${index}`, format }));
  const results = ok(await sendBatch(target, { slots })) as Delivered[];
  holds(Array.isArray(results), 'a batch responds with a bare array');
  equal(results.length, slots.length, 'number of results');
  for (const [index, slot] of slots.entries()) {
    const result = results[index];
    holds(result, `slot ${index} has a result`);
    checkDelivered(result, `slot ${index}`, slot);
  }
  return results;
}

/** Sends a click token, by default from a page of the blog. */
export async function click(
  target: Target,
  clickToken: unknown,
  options: RequestOptions = {},
): Promise<TargetResponse> {
  // Another key means another blog, and `headers` may set the origin.
  const page = options.key || options.headers ? undefined : await clickOrigin(target);
  const headers = page === undefined ? {} : { headers: { Origin: page } };
  return send(target, CLICK, { json: { clickToken }, ...headers, ...options });
}

/** The origin of a page whose clicks the blog accepts; `undefined` when it accepts them from everywhere. */
export const clickOrigin = (target: Target): Promise<string | undefined> => once(origins, target, findOrigin);

const origins = new WeakMap<Target, Promise<string | undefined>>();

/** The origin that the target names, or any host in the blog's content that it accepts. No valid token is used up. */
async function findOrigin(target: Target): Promise<string | undefined> {
  const refused = async (headers: Readonly<Record<string, string>>) =>
    (await send(target, CLICK, { json: { clickToken: 'none' }, headers })).status === 403;
  if (target.origin !== undefined) return target.origin;
  if (!(await refused({}))) return undefined;
  for (const host of await candidates(target)) {
    if (!(await refused({ Origin: `https://${host}` }))) return `https://${host}`;
  }
  throw new Unchecked('the blog has domains, but no host in its content is one of them; pass a page with --origin');
}

/** The host of the API and those in the content, the most frequent first, each with its parent domains. */
async function candidates(target: Target): Promise<readonly string[]> {
  const { posts } = await survey(target);
  const counts = new Map<string, number>();
  for (const [, host = ''] of JSON.stringify(posts).matchAll(/https?:\/\/([\w.-]+(?::\d+)?)/g)) {
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  const named = [...counts].sort(([, one], [, two]) => two - one).map(([host]) => host);
  const hosts = [new URL(target.baseUrl).host, ...named].flatMap((host) => [host, ...parents(host)]);
  return [...new Set(hosts.flatMap((host) => [host, `www.${host}`]))].slice(0, MAX_CANDIDATES);
}

/** The parent domains of a host, such as `b.c` of `a.b.c`, without the top-level domain. */
function parents(host: string): string[] {
  const parts = host.split('.');
  return parts.slice(1, -1).map((_, index) => parts.slice(index + 1).join('.'));
}

/** A click token of the blog under test, for an ad of any format it has. */
export async function anyToken(target: Target, options?: RequestOptions): Promise<string> {
  return (await deliver(target, await filledFormat(target), options)).clickToken;
}

/** By how much a counter of each ad grows while `act` runs. */
export async function gained(
  target: Target,
  counter: keyof AdCounts,
  adIds: readonly string[],
  act: () => Promise<unknown>,
): Promise<readonly number[]> {
  const read = () =>
    Promise.all(adIds.map(async (id) => (await present(target.adCounts, 'the counters')(id))[counter]));
  const before = await read();
  await act();
  return (await read()).map((count, index) => count - (before[index] ?? 0));
}

/** Checks that a click or an impression was accepted. The response does not reveal whether it was counted. */
export function accepted(response: TargetResponse): void {
  equal(ok(response), { status: 'ok' }, response.request);
}
