import { tagsOf } from '@broadsheet/contract';
import type { Incoming } from '../answer/incoming.ts';
import { Deadline } from '../request/deadline.ts';
import type { Exchange } from '../request/exchange.ts';
import { send } from '../request/send.ts';
import type { SharedRead } from '../settings.ts';

/** The response to the request, that of an equal read in flight, or one from the cache. */
export function load(exchange: Exchange): Promise<Incoming> {
  const { deadline, endpoint, settings, task } = exchange;
  const { cache, dedupe = true } = settings.options;
  const { headers, fetchOptions, fetch, middleware, maxBodyBytes } = task.options;
  if (endpoint.effect !== 'read' || headers || fetchOptions || fetch || middleware || maxBodyBytes !== undefined)
    return deadline.race(() => send(exchange, deadline));
  if (dedupe) return share(exchange, `${exchange.url} ${cache?.generation}`);
  return deadline.race(() => read(exchange, deadline));
}

/** Sends a read, through the cache if there is one. */
function read(exchange: Exchange, end: Deadline): Promise<Incoming> {
  const { settings, task } = exchange;
  const { cache } = settings.options;
  if (!cache) return send(exchange, end);
  // Two API keys read two blogs at one URL.
  const key = `${settings.keyHash} ${exchange.url}`;
  return cache.read(key, tagsOf(task.id, task.params), (etag) => refresh(exchange, end, etag));
}

/**
 * Joins an equal read in flight, or begins one. Each caller waits within its own deadline. A read goes on without the
 * caller that began it, except when that one ran out of time: the connection may hang, and the others begin anew.
 */
async function share(exchange: Exchange, key: string): Promise<Incoming> {
  const { deadline, settings } = exchange;
  while (!deadline.over) {
    const shared = settings.inFlight.get(key) ?? begin(exchange, key);
    shared.waiting.add(deadline);
    deadline.progress = shared.deadline.progress;
    try {
      return await deadline.race(() => shared.response);
    } catch (error) {
      if (deadline.over || !shared.deadline.over) throw error;
    } finally {
      leave(exchange, key, shared);
    }
  }
  throw deadline.over;
}

function begin(exchange: Exchange, key: string): SharedRead {
  const own = new Deadline(exchange.id, exchange.url, false);
  const shared = {
    deadline: own,
    leader: exchange.deadline,
    response: read(exchange, own),
    waiting: new Set<Deadline>(),
  };
  exchange.settings.inFlight.set(key, shared);
  return shared;
}

/** Ends a shared read that nobody waits for. No call joins one that is complete, or that timed out for another call. */
function leave({ deadline, settings }: Exchange, key: string, shared: SharedRead): void {
  const { over } = deadline;
  shared.waiting.delete(deadline);
  const abandoned = over && (shared.waiting.size === 0 || (over.code === 'TIMEOUT' && deadline === shared.leader));
  if (abandoned) {
    shared.deadline.end(over);
    for (const other of shared.waiting) other.stop?.(over);
  }
  if ((abandoned || !over || over.code === 'TIMEOUT') && settings.inFlight.get(key) === shared)
    settings.inFlight.delete(key);
}

/**
 * Fills a cache. The cache may answer from what it has and renew it in the background, so the request ends with its
 * callers only while they wait, and has its own timeout.
 */
async function refresh(exchange: Exchange, callers: Deadline, etag: string | undefined): Promise<Incoming> {
  const { id, url, options, settings } = exchange;
  const headers = etag === undefined ? exchange.headers : { ...exchange.headers, 'if-none-match': etag };
  const own = new Deadline(id, url, options.timeout, [settings.options.signal, callers.signal]);
  own.progress = callers.progress;
  try {
    return await own.race(() => send({ ...exchange, headers }, own));
  } finally {
    own.release();
  }
}
