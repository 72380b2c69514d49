import { createHmac, hash, hkdfSync, randomInt, randomUUID } from 'node:crypto';
import type { Hmac, Random } from '@broadsheet/core';

/** The block size of SHA-256 in bytes. */
const BLOCK = 64;
/** Texts of up to this many characters take the fast path; a click token has less than half as many. */
const SHORT = 1024;

/**
 * Signs click tokens and identifies deliveries with HMAC-SHA-256; processes with the same secret give the same results.
 * A batch of ads signs up to twenty texts, and creating an object with `createHmac` takes longer than hashing a text, so
 * the two hashes of [RFC 2104](https://www.rfc-editor.org/rfc/rfc2104#section-2) are computed directly.
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

/** Hashes an IP address to 128 bits with a key; processes with the same secret give the same hash. */
export function keyedFingerprint(secret: string): (address: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'broadsheet visitor', 32));
  return (address) => createHmac('sha256', key).update(address).digest('base64url').slice(0, 22);
}

/** Random values from the operating system. */
export const systemRandom: Random = {
  uuid: randomUUID,
  below: (bound) => (bound > 1 ? randomInt(bound) : 0),
};
