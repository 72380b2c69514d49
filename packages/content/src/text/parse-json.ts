import { printParseErrorCode, visit } from 'jsonc-parser';
import { type Read, refuse } from '../problem.ts';

/** Parses JSON; a mistake in it is reported with line and column. `at` is the file's name in problems. */
export function parseJson(text: string, at: string): Read<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return text.trim() === '' ? refuse(at, 'is empty; expected JSON') : firstMistake(text, at);
  }
}

/** Engines name the position only in some of their messages, and quote the source, which may be a whole line of content. */
function firstMistake(text: string, at: string): Read<never> {
  let found = refuse(at, 'is not JSON');
  let isFirst = true;
  const onError = (code: number, offset: number, _length: number, line: number, column: number): void => {
    if (!isFirst) return;
    isFirst = false;
    const endsEarly = offset >= text.trimEnd().length;
    const reason = endsEarly ? 'it ends too early; a bracket or quote is not closed' : inWords(code);
    found = refuse(`${at}:${line + 1}:${column + 1}`, `is not JSON: ${reason}`);
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    // The parser is recursive: brackets nested too deeply overflow the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

/** `CommaExpected` is "comma expected". */
const inWords = (code: number): string =>
  printParseErrorCode(code)
    .replace(/\B[A-Z]/g, ' $&')
    .toLowerCase();
