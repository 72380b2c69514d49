import { createHmac as nodeHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createHmac } from './hmac.ts';

// A page on plain http, and Hermes, have no WebCrypto.
test.each([
  ['with WebCrypto', globalThis.crypto],
  ['without WebCrypto', {}],
])('%s a text has the HMAC that another implementation gives it', async (_, platform) => {
  const hmac = await createHmac('secret', platform);
  for (const text of ['', 'ad-ä😀', 'x'.repeat(1000)]) {
    expect(await hmac(text)).toBe(nodeHmac('sha256', 'secret').update(text).digest('base64url'));
  }
});
