import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyedFingerprint, keyedHmac } from './crypto.ts';

const secret = 'a secret of at least thirty-two characters';

describe('keyedFingerprint', () => {
  it('a fingerprint depends only on the IP address and the secret', () => {
    const fingerprint = keyedFingerprint(secret);
    expect(fingerprint('192.0.2.1')).toBe(keyedFingerprint(secret)('192.0.2.1'));
    expect(fingerprint('192.0.2.1')).not.toBe(fingerprint('192.0.2.2'));
    expect(fingerprint('192.0.2.1')).not.toBe(keyedFingerprint(`${secret}!`)('192.0.2.1'));
    expect(fingerprint('192.0.2.1')).toMatch(/^[\w-]{22}$/);
  });
});

describe('keyedHmac', () => {
  const texts = [
    '',
    'a',
    'header.payload',
    'é😀\0\ud800',
    'x'.repeat(63),
    'x'.repeat(64),
    'é'.repeat(1024),
    '字'.repeat(1025),
  ];

  it.each(['k', secret, 'é'.repeat(32), 'k'.repeat(64), 'k'.repeat(65), 'é'.repeat(100)])(
    'keyedHmac equals HMAC-SHA-256 with the secret %s',
    (key) => {
      const hmac = keyedHmac(key);
      // Short texts after long ones: the reused buffer must not leak earlier bytes.
      for (const text of [...texts, ...texts.toReversed()]) {
        expect(hmac(text)).toBe(createHmac('sha256', key).update(text).digest('base64url'));
      }
    },
  );
});
