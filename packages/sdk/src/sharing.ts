import type { CallOptions } from './options.ts';
import type { Settings } from './settings.ts';

/** Whether a call may use the answer of an equal one: only when it brings nothing of its own. */
export function shareable({ signal, timeout, headers, fetchOptions, retry }: CallOptions): boolean {
  return [signal, timeout, headers, fetchOptions, retry].every((own) => own === undefined);
}

const keys = new WeakMap<Settings, string>();

/** Names an answer in a cache. Two keys see two blogs at one address, so a hash of the key is part of it. */
export function cacheKey(settings: Settings, url: string): string {
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
