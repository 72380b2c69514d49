import { setTimeout as sleep } from 'node:timers/promises';
import { fetchTransport } from '../../packages/ad-widget/src/delivery/fetch-transport.ts';
import { AD_FORMATS, type AdFormat } from '../../packages/contract/src/index.ts';
import { createClient } from '../../packages/sdk/src/index.ts';
import { BLOGS, type ProvenBlog, versionOf } from './content.ts';
import type { Gate } from './gate.ts';
import type { History, Outcome, SlotEntry } from './history.ts';
import type { Random } from './random.ts';
import { failureOf, type Reply, Visitor } from './requests.ts';
import { claimsOf } from './tokens.ts';

export interface ClientOptions {
  readonly url: string;
  readonly history: History;
  readonly random: Random;
  readonly gate: Gate;
  /** The keys of each blog, the newest last. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
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

/** A reader: requests ads over one of three clients, clicks, reports viewable ads and reads posts, until it is stopped. */
export async function runClient(number: number, { url, history, random, gate, keys }: ClientOptions): Promise<void> {
  const name = `client ${number}`;
  const visitor = new Visitor(number);
  let clicks = 0;
  const keyOf = (blog: ProvenBlog) => keys.get(blog.id)?.at(-1) ?? blog.apiKey;
  const api = (blog: ProvenBlog) => ({ 'x-api-key': keyOf(blog) });
  const slots = (): Slot[] =>
    Array.from({ length: 1 + random.below(4) }, () => ({
      slotId: random.pick(PLACEMENTS),
      format: random.pick(AD_FORMATS),
    }));

  async function deliver(blog: ProvenBlog): Promise<readonly string[]> {
    const way = random.pick([single, batch, keyed, overSdk, overWidget]);
    return way(blog);
  }

  /** Writes a delivery, and returns its tokens. */
  function write(
    end: ReturnType<History['begin']>,
    blog: ProvenBlog,
    {
      wanted,
      results = [],
      ...rest
    }: {
      readonly wanted: readonly { readonly format: string; readonly slotId?: string }[];
      readonly outcome: Outcome;
      readonly results?: readonly Result[];
      readonly key?: string;
      readonly note?: string;
    },
  ): readonly string[] {
    const entries = wanted.map(({ format, slotId }, at): SlotEntry => {
      const result = results[at];
      return { format, placement: slotId, token: result?.filled ? result.clickToken : undefined };
    });
    end({ kind: 'delivery', client: name, blog: blog.id, slots: entries, ...rest });
    return entries.flatMap(({ token }) => token ?? []);
  }

  async function single(blog: ProvenBlog): Promise<readonly string[]> {
    const format = random.pick(AD_FORMATS);
    const end = history.begin();
    const sent = await attempt(() => visitor.send(`${url}/public/ads/formats/${format}`, { headers: api(blog) }));
    return write(end, blog, { wanted: [{ format }], ...resultOf(sent, 1) });
  }

  async function batch(blog: ProvenBlog): Promise<readonly string[]> {
    const wanted = slots();
    const end = history.begin();
    const sent = await attempt(() => sendBatch(blog, wanted, ''));
    return write(end, blog, { wanted, ...resultOf(sent, wanted.length) });
  }

  const sendBatch = (blog: ProvenBlog, wanted: readonly Slot[], query: string) =>
    visitor.send(`${url}/public/ads/formats${query}`, {
      ...{ method: 'POST', headers: { ...api(blog), ...JSON_BODY } },
      body: JSON.stringify({ slots: wanted }),
    });

  /** Repeats a delivery with its key until it gets a response, and sometimes once more. */
  async function keyed(blog: ProvenBlog): Promise<readonly string[]> {
    const [wanted, key, apiKey, since] = [slots(), crypto.randomUUID(), keyOf(blog), history.now()];
    const isCurrent = () => keyOf(blog) === apiKey && history.now() - since < KEY_TTL;
    let tokens: readonly string[] = [];
    for (let attempts = 0; attempts < 6 && isCurrent(); attempts += 1) {
      const end = history.begin();
      const sent = await attempt(() => sendBatch(blog, wanted, `?idempotencyKey=${key}`));
      const result = resultOf(sent, wanted.length);
      tokens = write(end, blog, { wanted, key, ...result });
      if (result.outcome === 'ok' && !random.chance(0.1)) break;
      if (typeof sent !== 'string' && [400, 401].includes(sent.status)) break;
      await sleep(300 * attempts);
    }
    return tokens;
  }

  async function overSdk(blog: ProvenBlog): Promise<readonly string[]> {
    const sdk = createClient({ baseUrl: url, apiKey: keyOf(blog), fetch: visitor.fetch, timeout: 25_000 });
    const wanted = slots();
    const end = history.begin();
    const { ok, data, error } = await sdk.ads.deliverBatch(wanted).safe();
    if (ok) return write(end, blog, { wanted, outcome: 'ok', results: data });
    // An earlier attempt may have been counted, although the last one was refused.
    const outcome = error.attempts.length === 1 && (error.mayRepeat || error.status === 401) ? 'refused' : 'unknown';
    return write(end, blog, { wanted, outcome, note: `${error.code} after ${error.attempts.length} attempts` });
  }

  async function overWidget(blog: ProvenBlog): Promise<readonly string[]> {
    const transport = fetchTransport(url, keyOf(blog));
    const [wanted, key] = [slots(), crypto.randomUUID()];
    const end = history.begin();
    try {
      const results = await transport.deliverBatch(wanted, { idempotencyKey: key, retry: 0 });
      return write(end, blog, { wanted, key, outcome: 'ok', results: results as readonly Result[] });
    } catch (error) {
      const { mayRepeat = false, status } = error as { mayRepeat?: boolean; status?: number };
      const outcome = mayRepeat || status === 401 ? 'refused' : 'unknown';
      return write(end, blog, { wanted, key, outcome, note: String(error) });
    }
  }

  /** Clicks an ad from a separate IP address, so that the click does not repeat another one. */
  async function click(blog: ProvenBlog, token: string): Promise<void> {
    clicks += 1;
    const reader = new Visitor(1_000_000 + number * 20_000 + clicks);
    const send = async () => {
      const end = history.begin();
      const sent = await attempt(() =>
        reader.send(`${url}/public/ads/tracking/click`, {
          ...{ method: 'POST', headers: { ...api(blog), ...JSON_BODY } },
          body: JSON.stringify({ clickToken: token }),
        }),
      );
      const outcome = outcomeOf(sent);
      const status = typeof sent === 'string' ? undefined : sent.status;
      end({ kind: 'click', client: name, blog: blog.id, token, outcome, status });
      return outcome;
    };
    // Some readers click twice.
    const [first] = await Promise.all(random.chance(0.2) ? [send(), send()] : [send()]);
    if (first === 'unknown') await send();
    reader.leave();
  }

  async function report(blog: ProvenBlog, tokens: readonly string[]): Promise<void> {
    const end = history.begin();
    const headers = { 'content-type': 'text/plain' };
    const body = tokens.join('\n');
    const sent = await attempt(() => visitor.send(`${url}/measure/viewable`, { method: 'POST', headers, body }));
    const outcome = typeof sent !== 'string' && sent.status === 204 ? 'ok' : 'unknown';
    end({ kind: 'beacon', client: name, blog: blog.id, tokens, outcome });
  }

  async function read(blog: ProvenBlog): Promise<void> {
    const post = random.pick([...blog.titled, ...blog.toggled]);
    // Includes keys that are no longer valid.
    const apiKey = random.chance(0.1) ? random.pick(keys.get(blog.id) ?? [blog.apiKey]) : keyOf(blog);
    const end = history.begin();
    const sent = await attempt(() => visitor.send(`${url}/public/posts/${post}`, { headers: { 'x-api-key': apiKey } }));
    const entry = { kind: 'read', client: name, blog: blog.id, post, apiKey } as const;
    if (typeof sent === 'string') return end({ ...entry, outcome: 'unknown' });
    const { status } = sent;
    if (status === 200) {
      const { data } = JSON.parse(sent.body) as { data: { title: string } };
      return end({ ...entry, outcome: 'ok', status, version: versionOf(data.title) });
    }
    const isMissing = status === 404 && failureOf(sent.body) !== undefined;
    end({ ...entry, outcome: isMissing ? 'ok' : outcomeOf(sent), status, ...(isMissing && { version: 0 }) });
  }

  while (await gate.enter()) {
    try {
      const blog = random.pick(BLOGS);
      if (random.chance(0.4)) await read(blog);
      else {
        const tokens = await deliver(blog);
        const readable = tokens.filter((token) => claimsOf(token).isValid);
        if (readable.length > 0 && random.chance(0.5)) {
          await report(blog, readable);
          // A page may report an ad again, for example after it was restored from the cache of a browser.
          if (random.chance(0.2)) await report(blog, readable);
        }
        if (readable.length > 0 && random.chance(0.3)) await click(blog, random.pick(readable));
      }
    } finally {
      gate.leave();
    }
    await sleep(100 + random.below(500));
  }
  visitor.leave();
}

/** The response, or the reason why it did not arrive. */
async function attempt(send: () => Promise<Reply>): Promise<Reply | string> {
  try {
    return await send();
  } catch (error) {
    return String(error);
  }
}

/** An error of the API means that nothing was done if it allows a repeat, or if the request itself is wrong. */
function outcomeOf(sent: Reply | string): Outcome {
  if (typeof sent === 'string') return 'unknown';
  if (sent.status === 200) return 'ok';
  const failure = failureOf(sent.body);
  if (!failure) return 'unknown';
  return failure.retryable || sent.status < 500 ? 'refused' : 'unknown';
}

function resultOf(sent: Reply | string, count: number) {
  const outcome = outcomeOf(sent);
  if (typeof sent === 'string') return { outcome, note: sent };
  if (outcome !== 'ok') return { outcome, note: `${sent.status} ${sent.body.slice(0, 160)}` };
  const value: unknown = JSON.parse(sent.body);
  const results = (Array.isArray(value) ? value : [value]) as readonly Result[];
  if (results.length !== count) throw new Error(`${count} slots were requested: ${sent.body}`);
  return { outcome, results };
}
