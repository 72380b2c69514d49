/** A new API key: 256 random bits behind a prefix that secret scanners can look for. */
export const newApiKey = (): string => `bs_${randomText()}`;

/** The form in which keys are stored and compared: SHA-256 in hexadecimal. Keys are random, so no salt is needed. */
export async function keyHash(apiKey: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiKey));
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
