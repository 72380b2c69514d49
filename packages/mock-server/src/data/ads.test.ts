import { createHmac as nodeHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createHmac } from './ads.ts';

test('the HMAC of a text equals that of node:crypto', async () => {
  const hmac = createHmac('secret');
  for (const text of ['', 'ad-ä😀', 'x'.repeat(1000)]) {
    expect(await hmac(text)).toBe(nodeHmac('sha256', 'secret').update(text).digest('base64url'));
  }
});
