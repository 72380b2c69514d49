import type { Hmac } from '@broadsheet/core';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

// One module, so that a bundler puts into one file what pages load on first use together: most pages show no ads.
export { createAdEvents, signPreview } from '@broadsheet/core';

const utf8 = new TextEncoder();

/** HMAC-SHA256 without WebCrypto, which pages on plain http and Hermes lack. */
export function createHmac(secret: string): Hmac {
  const key = utf8.encode(secret);
  return (text) => {
    const base64 = btoa(String.fromCharCode(...hmac(sha256, key, utf8.encode(text))));
    return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  };
}
