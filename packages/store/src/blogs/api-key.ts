import type { Hmac } from '@broadsheet/core';

/** A new API key: 256 random bits behind a prefix that secret scanners can look for. */
export const newApiKey = (): string => `bs_${randomText()}`;

/** A new token for `/manage`, in the same form. */
export const newManagementToken = (): string => `bst_${randomText()}`;

/** The first characters of a key, by which people recognise it; `null` for a short key, which they would reveal. */
export const startOfKey = (apiKey: string): string | null =>
  apiKey.length >= 4 * START ? apiKey.slice(0, START) : null;
const START = 8;

/**
 * SHA-256 in hexadecimal: the form in which keys and tokens are stored and compared. They are random, so no salt is
 * needed.
 */
export async function sha256Hex(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** 256 random bits as 43 characters that are safe in URLs and headers. */
export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Signs with HMAC-SHA-256, as the server does with the same secret. */
export async function createHmac(secret: string): Promise<Hmac> {
  const utf8 = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['sign']);
  return async (text) => base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(text))));
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (character) => ({ '+': '-', '/': '_' })[character] ?? '');
