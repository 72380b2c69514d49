import { setTimeout as sleep } from 'node:timers/promises';
import { fetchTransport } from '../../packages/ad-widget/src/delivery/fetch-transport.ts';
import { AD_FORMATS, type AdFormat } from '../../packages/contract/src/index.ts';
import { createClient } from '../../packages/sdk/src/index.ts';
import { BLOGS, COMMON_WORD, type ProvenBlog, versionOf } from './content.ts';
import type { Gate } from './gate.ts';
import type { History, Outcome, ReadEntry, SlotEntry, Way } from './history.ts';
import type { Random } from './random.ts';
import { failureOf, type Reply, Visitor } from './requests.ts';
import { claimsOf } from './tokens.ts';

export interface ReaderOptions {
  readonly url: string;
  readonly history: History;
  readonly random: Random;
  /** The keys of each blog, the newest last. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  /** Whether all faults are over, so that nothing may fail. */
  readonly isCalm?: boolean;
}

export interface ClientOptions extends ReaderOptions {
  readonly gate: Gate;
}

/** A slot of a request, and its result. */
interface Slot {
  readonly slotId: string;
  readonly format: AdFormat;
}
interface Result {
  readonly filled: boolean;
  readonly clickToken?: string | undefined;
}

/** The placements that clients request. */
const PLACEMENTS = ['top', 'side', 'end'];
/** Milliseconds for which a key may be sent again, by the clock of the servers. */
const KEY_TTL = 8 * 60_000;
const JSON_BODY = { 'content-type': 'application/json' };

/** The tokens of a delivery. */
type Deliver = (blog: ProvenBlog) => Promise<readonly string[]>;

/** A person who reads a blog. Every request is written into the history. */
export interface Reader {
  /** The ways of requesting ads: over the SDK, the widget's transport, and plain HTTP. */
  readonly deliveries: readonly Deliver[];
  click(blog: ProvenBlog, token: string): Promise<void>;
  /** Reports viewable ads. */
  report(blog: ProvenBlog, tokens: readonly string[]): Promise<void>;
  /** Reads one post, all posts, or those that a search finds. */
  readonly reads: readonly ((blog: ProvenBlog) => Promise<void>)[];
  leave(): void;
}

function createReader(number: number, { url, history, random, keys, isCalm }: ReaderOptions): Reader {
  const client = `client ${number}`;
  const visitor = new Visitor(number);
  let clicks = 0;
  const keyOf = (blog: ProvenBlog) => keys.get(blog.id)?.at(-1) ?? blog.apiKey;
  const common = (blog: ProvenBlog, apiKey: string) => ({
    ...{ client, blog: blog.id, apiKey },
    ...(isCalm && { isCalm }),
  });
  const slots = (): Slot[] =>
    Array.from({ length: 1 + random.below(4) }, () => ({
      slotId: random.pick(PLACEMENTS),
      format: random.pick(AD_FORMATS),
    }));

  /** Begins a delivery. The returned function writes it, and returns its tokens. */
  function beginDelivery(blog: ProvenBlog, apiKey: string, wanted: readonly Partial<Slot>[], key?: string) {
    const end = history.begin();
    return ({ results = [], ...rest }: Ending & { readonly results?: readonly Result[] }): readonly string[] => {
      const entries = wanted.map(({ format = '', slotId }, at): SlotEntry => {
        const result = results[at];
        return { format, placement: slotId, token: result?.filled ? result.clickToken : undefined };
      });
      end({ kind: 'delivery', ...common(blog, apiKey), slots: entries, ...rest, ...(key && { key }) });
      return entries.flatMap(({ token }) => token ?? []);
    };
  }

  async function single(blog: ProvenBlog): Promise<readonly string[]> {
    const [format, apiKey] = [random.pick(AD_FORMATS), keyOf(blog)];
    const end = beginDelivery(blog, apiKey, [{ format }]);
    const headers = { 'x-api-key': apiKey };
    return end(resultOf(await attempt(() => visitor.send(`${url}/public/ads/formats/${format}`, { headers })), 1));
  }

  async function batch(blog: ProvenBlog): Promise<readonly string[]> {
    const [wanted, apiKey] = [slots(), keyOf(blog)];
    const end = beginDelivery(blog, apiKey, wanted);
    return end(resultOf(await attempt(() => sendBatch(apiKey, wanted, '')), wanted.length));
  }

  const sendBatch = (apiKey: string, wanted: readonly Slot[], query: string) =>
    visitor.send(`${url}/public/ads/formats${query}`, {
      ...{ method: 'POST', headers: { 'x-api-key': apiKey, ...JSON_BODY } },
      body: JSON.stringify({ slots: wanted }),
    });

  /** Repeats a delivery with its key until it gets a response, and sometimes once more. */
  async function keyed(blog: ProvenBlog): Promise<readonly string[]> {
    const [wanted, key, apiKey, since] = [slots(), crypto.randomUUID(), keyOf(blog), history.now()];
    const isCurrent = () => keyOf(blog) === apiKey && history.now() - since < KEY_TTL;
    let tokens: readonly string[] = [];
    for (let attempts = 0; attempts < 6 && isCurrent(); attempts += 1) {
      const end = beginDelivery(blog, apiKey, wanted, key);
      const sent = await attempt(() => sendBatch(apiKey, wanted, `?idempotencyKey=${key}`));
      const result = resultOf(sent, wanted.length);
      tokens = end(result);
      if (result.outcome === 'ok' && !random.chance(0.1)) break;
      if (result.status === 400 || result.status === 401) break;
      await sleep(300 * attempts);
    }
    return tokens;
  }

  async function overSdk(blog: ProvenBlog): Promise<readonly string[]> {
    const [wanted, apiKey] = [slots(), keyOf(blog)];
    const sdk = createClient({ baseUrl: url, apiKey, fetch: visitor.fetch, timeout: 25_000 });
    const end = beginDelivery(blog, apiKey, wanted);
    const { ok, data, error } = await sdk.ads.deliverBatch(wanted).safe();
    if (ok) return end({ outcome: 'ok', results: data });
    // An earlier attempt may have been counted, although the last one was refused.
    const outcome = error.attempts.length === 1 && (error.mayRepeat || error.status === 401) ? 'refused' : 'unknown';
    const { status, code } = error;
    const note = `${code} after ${error.attempts.length} attempts`;
    return end({ outcome, note, ...(outcome === 'refused' && { status, code }) });
  }

  async function overWidget(blog: ProvenBlog): Promise<readonly string[]> {
    const [wanted, key, apiKey] = [slots(), crypto.randomUUID(), keyOf(blog)];
    const transport = fetchTransport(url, apiKey);
    const end = beginDelivery(blog, apiKey, wanted, key);
    try {
      const results = await transport.deliverBatch(wanted, { idempotencyKey: key, retry: 0 });
      return end({ outcome: 'ok', results: results as readonly Result[] });
    } catch (error) {
      const { mayRepeat = false, status } = error as { mayRepeat?: boolean; status?: number };
      const outcome = mayRepeat || status === 401 ? 'refused' : 'unknown';
      return end({ outcome, status, note: String(error) });
    }
  }

  /** Clicks an ad from a separate IP address, so that the click does not repeat another one. */
  async function click(blog: ProvenBlog, token: string): Promise<void> {
    clicks += 1;
    const reader = new Visitor(1_000_000 + number * 20_000 + clicks);
    const apiKey = keyOf(blog);
    const send = async () => {
      const end = history.begin();
      const sent = await attempt(() =>
        reader.send(`${url}/public/ads/tracking/click`, {
          ...{ method: 'POST', headers: { 'x-api-key': apiKey, ...JSON_BODY } },
          body: JSON.stringify({ clickToken: token }),
        }),
      );
      const ending = endingOf(sent);
      end({ kind: 'click', ...common(blog, apiKey), token, ...ending });
      return ending.outcome;
    };
    // Some readers click twice.
    const [first] = await Promise.all(random.chance(0.2) && !isCalm ? [send(), send()] : [send()]);
    if (first === 'unknown') await send();
    reader.leave();
  }

  async function report(blog: ProvenBlog, tokens: readonly string[]): Promise<void> {
    const end = history.begin();
    const headers = { 'content-type': 'text/plain' };
    const body = tokens.join('\n');
    const sent = await attempt(() => visitor.send(`${url}/measure/viewable`, { method: 'POST', headers, body }));
    const ending = endingOf(sent, 204);
    end({
      kind: 'beacon',
      ...common(blog, ''),
      tokens,
      ...ending,
      outcome: ending.outcome === 'ok' ? 'ok' : 'unknown',
    });
  }

  /** Reads posts, and writes the versions that the response shows. */
  async function readAt(
    blog: ProvenBlog,
    [way, path]: readonly [Way, string],
    { etag, versionsOf }: { readonly etag?: string | undefined; versionsOf(reply: Reply): ReadEntry['versions'] },
  ): Promise<void> {
    // Includes keys that are no longer valid.
    const isOld = !isCalm && random.chance(0.1);
    const apiKey = isOld ? random.pick(keys.get(blog.id) ?? [blog.apiKey]) : keyOf(blog);
    const end = history.begin();
    const headers = { 'x-api-key': apiKey, ...(etag !== undefined && { 'if-none-match': etag }) };
    const sent = await attempt(() => visitor.send(`${url}/public/${path}`, { headers }));
    const versions = typeof sent === 'string' ? undefined : versionsOf(sent);
    const isNotModified = typeof sent !== 'string' && sent.status === 304;
    const ending = versions ? { outcome: 'ok' as const, status: (sent as Reply).status } : endingOf(sent);
    end({ kind: 'read', way: isNotModified ? 'etag' : way, ...common(blog, apiKey), ...ending, versions });
  }

  /** The last response about each post, to which a 304 refers. */
  const tags = new Map<string, { readonly etag: string; readonly version: number }>();
  async function readPost(blog: ProvenBlog): Promise<void> {
    const post = random.pick([...blog.titled, ...blog.toggled]);
    const known = random.chance(0.5) ? tags.get(`${blog.id} ${post}`) : undefined;
    await readAt(blog, ['post', `posts/${post}`], {
      etag: known?.etag,
      versionsOf({ status, body, headers }) {
        if (status === 304 && known) return { [post]: known.version };
        if (status === 404 && failureOf(body)?.code === 'NOT_FOUND') return { [post]: 0 };
        if (status !== 200) return undefined;
        const version = versionOf((JSON.parse(body) as { data: Titled }).data.title);
        tags.set(`${blog.id} ${post}`, { etag: headers.get('etag') ?? '', version });
        return { [post]: version };
      },
    });
  }

  /** Reads all posts of a blog at once. */
  const readMany = (way: Way, path: string) => (blog: ProvenBlog) =>
    readAt(blog, [way, path], {
      versionsOf({ status, body }) {
        if (status !== 200) return undefined;
        const { data } = JSON.parse(body) as { data: readonly Listed[] | { readonly data: readonly Listed[] } };
        const posts = 'data' in data ? data.data : data;
        const shown = new Map(posts.map(({ id, title }) => [id, versionOf(title)]));
        return Object.fromEntries([...blog.titled, ...blog.toggled].map((post) => [post, shown.get(post) ?? 0]));
      },
    });

  return {
    deliveries: [single, batch, keyed, overSdk, overWidget],
    ...{ click, report },
    reads: [readPost, readMany('list', 'posts?limit=100'), readMany('search', `search?q=${COMMON_WORD}&limit=50`)],
    leave: () => visitor.leave(),
  };
}

interface Titled {
  readonly title: string;
}
interface Listed extends Titled {
  readonly id: string;
}

/** A reader who requests ads, clicks, reports viewable ads and reads posts, until it is stopped. */
export async function runClient(number: number, { gate, ...options }: ClientOptions): Promise<void> {
  const { random } = options;
  const reader = createReader(number, options);
  while (await gate.enter()) {
    try {
      const blog = random.pick(BLOGS);
      if (random.chance(0.4)) {
        const [post, list, search] = reader.reads;
        const read = random.chance(0.8) ? post : random.pick([list, search]);
        await read?.(blog);
      } else {
        const tokens = await random.pick(reader.deliveries)(blog);
        const readable = tokens.filter((token) => claimsOf(token).isValid);
        if (readable.length > 0 && random.chance(0.5)) {
          await reader.report(blog, readable);
          // A page may report an ad again, for example after it was restored from the cache of a browser.
          if (random.chance(0.2)) await reader.report(blog, readable);
        }
        if (readable.length > 0 && random.chance(0.3)) await reader.click(blog, random.pick(readable));
      }
    } finally {
      gate.leave();
    }
    await sleep(100 + random.below(500));
  }
  reader.leave();
}

/** Does everything that a reader can do, once for each blog. */
export async function runCalmClient(number: number, options: ReaderOptions): Promise<void> {
  const reader = createReader(number, { ...options, isCalm: true });
  for (const blog of BLOGS) {
    const tokens: string[] = [];
    for (const deliver of reader.deliveries) tokens.push(...(await deliver(blog)));
    for (const read of reader.reads) await read(blog);
    await reader.report(blog, tokens);
    for (const token of tokens) await reader.click(blog, token);
  }
  reader.leave();
}

/** The response, or the reason why it did not arrive. */
async function attempt(send: () => Promise<Reply>): Promise<Reply | string> {
  try {
    return await send();
  } catch (error) {
    return String(error);
  }
}

/** How a request ended. */
interface Ending {
  readonly outcome: Outcome;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly note?: string;
}

/** An error of the API means that nothing was done if it allows a repeat, or if the request itself is wrong. */
function endingOf(sent: Reply | string, success = 200): Ending {
  if (typeof sent === 'string') return { outcome: 'unknown', note: sent };
  const { status, body } = sent;
  if (status === success) return { outcome: 'ok', status };
  const failure = failureOf(body);
  const outcome = failure && (failure.retryable || status < 500) ? 'refused' : 'unknown';
  return { outcome, status, code: failure?.code, note: `${status} ${body.slice(0, 160)}` };
}

function resultOf(sent: Reply | string, count: number) {
  const ending = endingOf(sent);
  if (typeof sent === 'string' || ending.outcome !== 'ok') return ending;
  const value: unknown = JSON.parse(sent.body);
  const results = (Array.isArray(value) ? value : [value]) as readonly Result[];
  if (results.length !== count) throw new Error(`${count} slots were requested: ${sent.body}`);
  return { ...ending, results };
}
