import { randomInt, randomUUID } from 'node:crypto';
import type { Random } from '@broadsheet/core';

/** Chance from the operating system. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  below: (bound) => (bound > 1 ? randomInt(bound) : 0),
};
