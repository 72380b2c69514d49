import type { Endpoint } from '@broadsheet/contract';
import type { Deadline } from './deadline.ts';
import { exchange, type Incoming, type Outgoing } from './exchange.ts';
import type { CallOptions } from './options.ts';
import type { Settings } from './settings.ts';
import { tagsOf } from './tags.ts';
import type { Task } from './task.ts';

/** The answer itself, or that of an equal read in flight, or one that is kept. */
export function load(
  settings: Settings,
  task: Task,
  { effect }: Endpoint,
  out: Outgoing,
  deadline: Deadline,
): Promise<Incoming> {
  const { cache, dedupe = true } = settings.options;
  const send = (etag?: string): Promise<Incoming> => {
    const headers = etag === undefined ? out.headers : { ...out.headers, 'if-none-match': etag };
    return exchange({ ...out, headers }, deadline);
  };
  if (effect !== 'read' || !shareable(task.options)) return send();
  const key = cacheKey(settings, out.url);
  const read = cache ? () => cache.read(key, tagsOf(task.id, task.params), send) : () => send();
  if (!dedupe) return read();
  const flying = settings.flying.get(key);
  if (flying) return flying;
  const started = read().finally(() => settings.flying.delete(key));
  settings.flying.set(key, started);
  return started;
}

/** Whether a call may use the answer of an equal one: only when it brings nothing of its own. */
function shareable({ signal, timeout, headers, fetchOptions, fetch, retry }: CallOptions): boolean {
  return [signal, timeout, headers, fetchOptions, fetch, retry].every((own) => own === undefined);
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
