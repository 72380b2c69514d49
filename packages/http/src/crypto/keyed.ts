import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { Hmac } from '@broadsheet/core';

/** Signs what the API gives out; the same in every process with the secret. */
export function keyedHmac(secret: string): Hmac {
  const key = createSecretKey(secret, 'utf8');
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}

/** Turns an address into 128 bits that say nothing to anyone without the secret, and the same in every process. */
export function keyedFingerprint(secret: string): (address: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'broadsheet visitor', 32));
  return (address) => createHmac('sha256', key).update(address).digest('base64url').slice(0, 22);
}
