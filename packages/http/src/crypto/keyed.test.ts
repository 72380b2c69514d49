import { describe, expect, it } from 'vitest';
import { keyedFingerprint } from './keyed.ts';

const secret = 'a secret of at least thirty-two characters';

describe('keyedFingerprint', () => {
  it('is the same for the same address and secret, and for nothing else', () => {
    const fingerprint = keyedFingerprint(secret);
    expect(fingerprint('192.0.2.1')).toBe(keyedFingerprint(secret)('192.0.2.1'));
    expect(fingerprint('192.0.2.1')).not.toBe(fingerprint('192.0.2.2'));
    expect(fingerprint('192.0.2.1')).not.toBe(keyedFingerprint(`${secret}!`)('192.0.2.1'));
    expect(fingerprint('192.0.2.1')).toMatch(/^[\w-]{22}$/);
  });
});
