import { createHmac, hash, hkdfSync, randomInt, randomUUID } from 'node:crypto';
import type { Hmac, Random } from '@broadsheet/core';

/** Bytes of a block of SHA-256. */
const BLOCK = 64;
/** Characters up to which a text is hashed at once: a click token has less than half of them. */
const SHORT = 1024;

/**
 * Signs what the API gives out with HMAC-SHA-256; the same in every process with the secret. A batch of ads signs up to
 * twenty texts, and the object that `createHmac` makes takes as long as hashing one, so the two hashes of RFC 2104 are
 * taken one by one.
 */
export function keyedHmac(secret: string): Hmac {
  const key = Buffer.from(secret);
  const short = Buffer.alloc(BLOCK);
  short.set(key.byteLength > BLOCK ? hash('sha256', key, 'buffer') : key);
  const inner = Buffer.alloc(BLOCK + 3 * SHORT);
  const outer = Buffer.alloc(BLOCK + 32);
  inner.set(short.map((byte) => byte ^ 0x36));
  outer.set(short.map((byte) => byte ^ 0x5c));
  return (text) => {
    if (text.length > SHORT) return createHmac('sha256', key).update(text).digest('base64url');
    const end = BLOCK + inner.write(text, BLOCK);
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK, 'binary');
    return hash('sha256', outer, 'base64url');
  };
}

/** Turns an address into 128 bits that say nothing to anyone without the secret, and the same in every process. */
export function keyedFingerprint(secret: string): (address: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'broadsheet visitor', 32));
  return (address) => createHmac('sha256', key).update(address).digest('base64url').slice(0, 22);
}

/** Random values from the operating system. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  below: (bound) => (bound > 1 ? randomInt(bound) : 0),
};
