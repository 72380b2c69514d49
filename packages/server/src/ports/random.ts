import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Random } from '@broadsheet/core';

/** Chance from the operating system. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  below: (bound) => (bound > 1 ? randomInt(bound) : 0),
};

/** A new API key: 256 random bits behind a prefix that secret scanners can look for. */
export function newApiKey(): string {
  return `bs_${randomBytes(32).toString('base64url')}`;
}
