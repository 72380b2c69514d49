import { WEBHOOK_SECRET_PREFIX } from '@broadsheet/contract';
import { WebhookError } from './webhook-error.ts';

type Bytes = Uint8Array<ArrayBuffer>;
export type Secret = string | null | undefined;

/** Bytes of a secret, by Standard Webhooks. */
const SHORTEST = 24;

/** The keys of the secrets that are given. A short one could be guessed, such as that of a variable that contains "null". */
export function readSecrets(secret: Secret | readonly Secret[]): Bytes[] {
  const given = [secret].flat().filter((one) => one !== undefined && one !== null && one !== '');
  const keys = given.map((one) => decodeBase64(String(one).trim().replace(WEBHOOK_SECRET_PREFIX, '')));
  if (keys.length > 0 && keys.every((key): key is Bytes => key !== undefined && key.byteLength >= SHORTEST))
    return keys;
  const what = given.length === 0 ? 'The secret of the webhook is missing' : 'A secret of the webhook is damaged';
  throw new WebhookError('SECRET_INVALID', `${what}: pass what "broadsheet hooks add" printed, whsec_ and base64.`);
}

function decodeBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Whether one of the signatures of a header is by one of the keys. `verify` compares in constant time. */
export async function isSigned(signed: Bytes, header: string, keys: readonly Bytes[]): Promise<boolean> {
  const signatures = header
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? (decodeBase64(one.slice(3)) ?? []) : []));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}
