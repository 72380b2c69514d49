import type { Incoming } from '../answer/incoming.ts';
import { type Target, type Task, timeoutOf } from '../calls/task.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import { Deadline } from '../request/deadline.ts';
import { exchange, type Outgoing } from '../request/exchange.ts';
import type { Settings } from '../settings.ts';
import { tagsOf } from './tags.ts';

/** The answer itself, or that of an equal read in flight, or one from the cache. */
export function load(
  settings: Settings,
  task: Task,
  { effect }: Target,
  out: Outgoing,
  deadline: Deadline,
): Promise<Incoming> {
  const { cache, dedupe = true } = settings.options;
  const { headers, fetchOptions, fetch, middleware } = task.options;
  const send = (): Promise<Incoming> => exchange(out, deadline);
  if (effect !== 'read' || headers || fetchOptions || fetch || middleware) return send();
  if (!cache) return dedupe ? share(settings, out.url, deadline, send) : send();
  const key = cacheKey(settings, out.url);
  const read = (): Promise<Incoming> =>
    cache.read(key, tagsOf(task.id, task.params), (etag) => sendForAll(settings, task, out, deadline, etag));
  return deadline.race('connect', () => (dedupe ? share(settings, key + cache.generation, deadline, read) : read()));
}

/** Joins an equal read in flight, within a deadline of its own: when the other's is over, this one goes on by itself. */
async function share(
  { inFlight }: Settings,
  key: string,
  deadline: Deadline,
  start: () => Promise<Incoming>,
): Promise<Incoming> {
  for (let other = inFlight.get(key); other; other = inFlight.get(key)) {
    try {
      return await deadline.race('connect', () => other as Promise<Incoming>);
    } catch (error) {
      if (deadline.over || !/^(TIMEOUT|ABORTED)$/.test((error as BroadsheetError).code)) throw error;
    }
  }
  const started = start();
  inFlight.set(key, started);
  try {
    return await started;
  } finally {
    inFlight.delete(key);
  }
}

/** What fills a cache belongs to no call: it goes on after the call that began it was answered from the cache. */
async function sendForAll(
  settings: Settings,
  task: Task,
  out: Outgoing,
  beginner: Deadline,
  etag: string | undefined,
): Promise<Incoming> {
  const headers = etag === undefined ? out.headers : { ...out.headers, 'if-none-match': etag };
  const own = new Deadline(out, timeoutOf(settings, task), undefined, settings.options.signal);
  own.onPhase = (phase) => {
    beginner.phase = phase;
  };
  try {
    return await exchange({ ...out, headers }, own);
  } finally {
    own.release();
  }
}

const keys = new WeakMap<Settings, string>();

/** Names an answer in a cache. Two keys see two blogs at one address, so a hash of the key is part of it. */
function cacheKey(settings: Settings, url: string): string {
  let hash = keys.get(settings);
  if (!hash) {
    hash = fnv1a(settings.apiKey);
    keys.set(settings, hash);
  }
  return `${hash} ${url}`;
}

// Not for secrecy, the key has 256 random bits: for telling keys apart.
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of text) hash = BigInt.asUintN(64, (hash ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(36);
}
