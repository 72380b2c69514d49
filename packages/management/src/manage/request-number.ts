import { sha256Hex } from '@broadsheet/store';

/** The header with a random text that a client chooses for each command, and sends again with a repeat. */
export const NUMBER_HEADER = 'idempotency-key';

/** Results are encrypted with it, so it must not be possible to guess it. */
const NUMBER = /^[\w-]{16,100}$/;

/**
 * The number of a request, or `undefined` if its sender chose none. With other arguments, the same key is the number of
 * another request.
 *
 * @throws RangeError when somebody could guess the key
 */
export async function readNumber(request: Request, body: Uint8Array): Promise<string | undefined> {
  const key = request.headers.get(NUMBER_HEADER);
  if (key === null) return undefined;
  if (NUMBER.test(key)) return `${key} ${await sha256Hex(new Uint8Array(body))}`;
  throw new RangeError('Idempotency-Key must be random: 16 to 100 letters, digits, - and _, such as a UUID.');
}
