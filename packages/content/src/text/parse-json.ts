import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { LIMITS } from '../limits.ts';
import { failedRead, type Read } from '../problem.ts';

/** Parses JSON; a syntax error is reported with line and column. `at` is the file's name in problems. */
export function parseJson(text: string, at: string): Read<unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isDeeper(value, LIMITS.jsonDepth)) return failedRead(at, `is nested more than ${LIMITS.jsonDepth} levels deep`);
    return { ok: true, value };
  } catch {
    return text.trim() === '' ? failedRead(at, 'is empty; expected JSON') : firstMistake(text, at);
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1));
}

/** Finds the first syntax error. The engine's own message may lack the position and may quote a line of content. */
function firstMistake(text: string, at: string): Read<never> {
  const mistakes: ParseError[] = [];
  try {
    parse(text, mistakes, { disallowComments: true });
  } catch (error) {
    // The parser is recursive: brackets nested too deeply overflow the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  const [first] = mistakes;
  if (!first) return failedRead(at, 'is not JSON');
  const endsEarly = first.offset >= text.trimEnd().length;
  const reason = endsEarly ? 'it ends too early; a bracket or quote is not closed' : inWords(first.error);
  const lines = text.slice(0, first.offset).split('\n');
  return failedRead(`${at}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`, `is not JSON: ${reason}`);
}

/** `CommaExpected` is "comma expected". */
const inWords = (code: number): string =>
  printParseErrorCode(code)
    .replace(/\B[A-Z]/g, ' $&')
    .toLowerCase();
