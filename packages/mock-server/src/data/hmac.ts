import type { Hmac } from '@broadsheet/core';

const utf8 = new TextEncoder();

/**
 * The platform's own HMAC; where there is none (a page on plain http, Hermes) that of a library, which is not loaded
 * anywhere else.
 */
export async function createHmac(secret: string, platform?: Partial<Crypto>): Promise<Hmac> {
  const bytes = utf8.encode(secret);
  const { subtle }: Partial<Crypto> = platform ?? globalThis.crypto ?? {};
  if (!subtle) {
    const [{ hmac }, { sha256 }] = await Promise.all([
      import('@noble/hashes/hmac.js'),
      import('@noble/hashes/sha2.js'),
    ]);
    return (text) => base64url(hmac(sha256, bytes, utf8.encode(text)));
  }
  const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return async (text) => base64url(new Uint8Array(await subtle.sign('HMAC', key, utf8.encode(text))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
