import { createHmac as nodeHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createHmac } from './signing.ts';

test('the HMAC of a text equals that of node:crypto', () => {
  const hmac = createHmac('secret');
  for (const text of ['', 'ad-ä😀', 'x'.repeat(1000)]) {
    expect(hmac(text)).toBe(nodeHmac('sha256', 'secret').update(text).digest('base64url'));
  }
});
