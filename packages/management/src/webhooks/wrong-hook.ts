import type { OperationProblem } from '../operations/operation-error.ts';

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
