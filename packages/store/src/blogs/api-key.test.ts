import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { newApiKey, sha256Hex } from './api-key.ts';

it('a key is 256 bits in base64url behind a prefix that secret scanners can look for', () => {
  expect(newApiKey()).toMatch(/^bs_[\w-]{43}$/);
});

it('a key is stored as its SHA-256 in hexadecimal', async () => {
  expect(await sha256Hex('bs_é')).toBe(createHash('sha256').update('bs_é').digest('hex'));
});
