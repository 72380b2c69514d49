import { type Read, refuse } from '../problem.ts';

/** Parses JSON; a mistake in it is reported with line and column. `at` is the file's name in problems. */
export function parseJson(text: string, at: string): Read<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (text.trim() === '') return refuse(at, 'is empty; expected JSON');
    const offset = offsetOfMistake(text);
    const before = text.slice(0, offset).split('\n');
    const where = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    return refuse(`${at}:${where}`, `is not JSON: ${reason(error, text, offset)}`);
  }
}

/** The engine's own words without its quotation of the source, which may be a whole line of content. */
function reason(error: unknown, text: string, offset: number): string {
  if (offset >= text.trimEnd().length) return 'it ends too early; a bracket or quote is not closed';
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/ in JSON at position.*$/s, '').replace(/, (?:\.\.\.)?".*$/s, '');
}

const space = /[ \t\n\r]*/y;
const string = /"(?:[^"\\\p{Cc}]|\x7f|[\u0080-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/**
 * Where text stops being JSON. Engines name the position only in some of their messages, so the grammar is walked
 * here, and only once parsing has failed. `expected` is what may stand next.
 */
function offsetOfMistake(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' = 'value';
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  for (;;) {
    take(space);
    const character = text[at];
    if (character === undefined) return at;
    if (expected === ', or end') {
      const inside = open.at(-1);
      if (character === ',' && inside) expected = inside === '{' ? 'key' : 'value';
      else if ((character === '}' && inside === '{') || (character === ']' && inside === '[')) open.pop();
      else return at;
      at += 1;
    } else if (expected === ':') {
      if (character !== ':') return at;
      at += 1;
      expected = 'value';
    } else if (expected === 'key' || expected === 'key or }') {
      if (character === '}' && expected === 'key or }') {
        open.pop();
        at += 1;
        expected = ', or end';
      } else if (take(string)) expected = ':';
      else return at;
    } else if (character === ']' && expected === 'value or ]') {
      open.pop();
      at += 1;
      expected = ', or end';
    } else if (character === '{' || character === '[') {
      open.push(character);
      at += 1;
      expected = character === '{' ? 'key or }' : 'value or ]';
    } else if (take(string) || take(scalar)) expected = ', or end';
    else return at;
  }
}
