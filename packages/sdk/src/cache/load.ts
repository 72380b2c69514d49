import type { Incoming } from '../answer/incoming.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import { Deadline } from '../request/deadline.ts';
import { type Exchange, timeoutOf } from '../request/exchange.ts';
import { send } from '../request/send.ts';
import type { Settings, SharedRead } from '../settings.ts';
import { tagsOf } from './tags.ts';

/** The response to the request, that of an equal read in flight, or one from the cache. */
export function load(exchange: Exchange): Promise<Incoming> {
  const { deadline, endpoint, settings, task } = exchange;
  const { cache, dedupe = true } = settings.options;
  const { headers, fetchOptions, fetch, middleware } = task.options;
  if (endpoint.effect !== 'read' || headers || fetchOptions || fetch || middleware) return send(exchange, deadline);
  const key = keyOf(exchange);
  const read = async (end: Deadline): Promise<Incoming> =>
    cache ? cache.read(key, tagsOf(task.id, task.params), (etag) => refresh(exchange, end, etag)) : send(exchange, end);
  if (dedupe) return share(exchange, `${key} ${cache?.generation}`, read);
  return deadline.race('connect', () => read(deadline));
}

/**
 * Joins an equal read in flight, or begins one. Each caller waits within its own deadline. A read goes on without the
 * caller that began it, except when that one ran out of time: the connection may hang, and the others begin anew.
 */
async function share(exchange: Exchange, key: string, read: (end: Deadline) => Promise<Incoming>): Promise<Incoming> {
  const { deadline, settings } = exchange;
  for (;;) {
    const shared = settings.inFlight.get(key) ?? begin(exchange, key, read);
    shared.waiting.add(deadline);
    try {
      return await deadline.race(shared.deadline.phase, () => shared.response);
    } catch (error) {
      if (deadline.over || !shared.deadline.over) throw error;
    } finally {
      shared.waiting.delete(deadline);
      const late = (deadline.over as BroadsheetError | undefined)?.code === 'TIMEOUT';
      // A read on which a call ran out of time is not joined again.
      if (late) forget(exchange, key, shared);
      if (!shared.settled && (shared.waiting.size === 0 || (late && deadline === shared.leader))) {
        forget(exchange, key, shared);
        shared.deadline.abandon();
      }
    }
  }
}

function begin(exchange: Exchange, key: string, read: (end: Deadline) => Promise<Incoming>): SharedRead {
  const own = new Deadline({ endpoint: exchange.id, url: exchange.url }, false);
  const waiting = new Set<Deadline>();
  own.onPhase = (phase) => {
    for (const caller of waiting) caller.phase = phase;
  };
  const shared: SharedRead = { deadline: own, leader: exchange.deadline, waiting, response: read(own), settled: false };
  exchange.settings.inFlight.set(key, shared);
  const settled = (): void => {
    shared.settled = true;
    forget(exchange, key, shared);
  };
  shared.response.then(settled, settled);
  return shared;
}

function forget({ settings }: Exchange, key: string, shared: SharedRead): void {
  if (settings.inFlight.get(key) === shared) settings.inFlight.delete(key);
}

/**
 * Fills a cache. The cache may answer from what it has and renew it in the background, so the request ends with its
 * callers only while they wait, and has its own timeout.
 */
async function refresh(exchange: Exchange, callers: Deadline, etag: string | undefined): Promise<Incoming> {
  const { id, url, options, settings } = exchange;
  const headers = etag === undefined ? exchange.headers : { ...exchange.headers, 'if-none-match': etag };
  const own = new Deadline(
    { endpoint: id, url },
    timeoutOf(options),
    undefined,
    settings.options.signal,
    callers.signal,
  );
  own.onPhase = (phase) => callers.enter(phase);
  try {
    return await send({ ...exchange, headers }, own);
  } finally {
    own.release();
  }
}

const keys = new WeakMap<Settings, string>();

/**
 * Names a response in a cache. Two API keys read two blogs at one URL, so a hash of the key is part of it; so is the
 * limit of a call that has its own.
 */
function keyOf({ settings, task, url }: Exchange): string {
  let hash = keys.get(settings);
  if (!hash) {
    hash = fnv1a(settings.apiKey);
    keys.set(settings, hash);
  }
  const { maxBodyBytes } = task.options;
  return maxBodyBytes === undefined ? `${hash} ${url}` : `${hash} ${url} ${maxBodyBytes}`;
}

// Not for secrecy, the key has 256 random bits: for telling keys apart.
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of text) hash = BigInt.asUintN(64, (hash ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(36);
}
