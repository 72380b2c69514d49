import { hash } from 'node:crypto';

/** The form in which keys are stored and compared: SHA-256 in hexadecimal. Keys are random, so no salt is needed. */
export function keyHash(apiKey: string): string {
  return hash('sha256', apiKey, 'hex');
}
