const utf8 = new TextEncoder();

/** HMAC-SHA256 of a text under one key. */
export type Hmac = (text: string) => Promise<Uint8Array>;

/**
 * The platform's own HMAC; where there is none (a page on plain http, Hermes) that of a library, which is not loaded
 * anywhere else.
 */
export function createHmac(secret: string, crypto: Partial<Crypto> | undefined = globalThis.crypto): Hmac {
  const bytes = utf8.encode(secret);
  const { subtle } = crypto ?? {};
  if (!subtle) {
    return async (text) => (await import('./portable-hmac.ts')).hmacSha256(bytes, utf8.encode(text));
  }
  const key = subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return async (text) => new Uint8Array(await subtle.sign('HMAC', await key, utf8.encode(text)));
}
