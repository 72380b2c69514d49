/** A new API key: 256 random bits behind a prefix that secret scanners can look for. */
export const newApiKey = (): string => `bs_${randomText()}`;

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
export function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    (character) => ({ '+': '-', '/': '_' })[character] ?? '',
  );
}
