import { hash, randomBytes } from 'node:crypto';

/** A new API key: 256 random bits behind a prefix that secret scanners can look for. */
export function newApiKey(): string {
  return `bs_${randomBytes(32).toString('base64url')}`;
}

/** The form in which keys are stored and compared: SHA-256 in hexadecimal. Keys are random, so no salt is needed. */
export function keyHash(apiKey: string): string {
  return hash('sha256', apiKey, 'hex');
}
