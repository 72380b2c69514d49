import { expect, it } from 'vitest';
import { newApiKey } from './api-key.ts';

it('never makes the same key twice', () => {
  const keys = new Set(Array.from({ length: 50 }, newApiKey));
  expect(keys.size).toBe(50);
  for (const key of keys) expect(key).toMatch(/^bs_[\w-]{43}$/);
});
