import { OperationError } from '../operations/operation-error.ts';

/** Names that the log uses for others. */
const RESERVED = /^(?:command line|token|admin_token)\b/i;

/** The form in which a name is stored and looked up, so that two names that look the same are the same. */
export const accessName = (input: string): string => input.normalize('NFKC').trim().replace(/\s+/g, ' ');

/**
 * The name of a new person or token, which must not look like another name in the log.
 *
 * @param example a name that is allowed, for the message
 * @throws OperationError
 */
export function readAccessName(input: string, example: string): string {
  const name = accessName(input);
  let message = `expected 1 to 100 letters and digits, such as ${example}`;
  if (/^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,_'’@+-]{0,99}$/u.test(name)) {
    // A letter of another script can look like a Latin one.
    if (/\p{Script=Latin}/u.test(name) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name)) {
      message = 'expected letters of one alphabet';
    } else if (RESERVED.test(name)) {
      message = `${JSON.stringify(name)} would look like a command or a token in the log; choose another name`;
    } else return name;
  }
  throw new OperationError([{ at: 'name', message }]);
}
