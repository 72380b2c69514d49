import { WEBHOOK_SECRET_PREFIX } from '@broadsheet/contract';
import type { OperationProblem } from '../operations/operation-error.ts';

const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;

/** Why a secret cannot sign, or `undefined`: Standard Webhooks decodes what follows the prefix as base64. */
export function wrongSecret(secret: string): OperationProblem | undefined {
  const encoded = secret.startsWith(WEBHOOK_SECRET_PREFIX) ? secret.slice(WEBHOOK_SECRET_PREFIX.length) : '';
  if (encoded.length % 4 === 0 && BASE64.test(encoded)) return undefined;
  return { at: 'secret', message: `must be ${WEBHOOK_SECRET_PREFIX} followed by a key in base64` };
}

/** Why a webhook cannot have this URL, or `undefined`. */
export function wrongUrl(text: string): OperationProblem | undefined {
  const url = URL.parse(text);
  const at = 'url';
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    return { at, message: `expected an http(s) URL, received ${JSON.stringify(text)}` };
  return url.username || url.password
    ? { at, message: 'must not contain a user name or a password; the signature proves who sends' }
    : undefined;
}
