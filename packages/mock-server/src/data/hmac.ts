import type { Hmac } from '@broadsheet/core';

const utf8 = new TextEncoder();

/**
 * The platform's own HMAC; where there is none (a page on plain http, Hermes) that of a library, which is not loaded
 * anywhere else. Nothing is looked for before the first text: most tests show no ads.
 */
export function createHmac(secret: string, platform?: Partial<Crypto>): Hmac {
  const bytes = utf8.encode(secret);
  const open = async (): Promise<(message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array> | Uint8Array> => {
    const { subtle }: Partial<Crypto> = platform ?? globalThis.crypto ?? {};
    if (!subtle) {
      const { hmacSha256 } = await import('./portable-hmac.ts');
      return (message) => hmacSha256(bytes, message);
    }
    const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return async (message) => new Uint8Array(await subtle.sign('HMAC', key, message));
  };
  let opened: ReturnType<typeof open> | undefined;
  return async (text) => {
    opened ??= open();
    return base64url(await (await opened)(utf8.encode(text)));
  };
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
