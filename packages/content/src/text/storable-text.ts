import type { ContentProblem } from '../problem.ts';

const unstorable = /[\0\uD800-\uDFFF]/u;

/**
 * Every text in a value that no database keeps as it is: U+0000, and halves of surrogate pairs. JSON can write both
 * as escapes.
 */
export function unstorableTexts(value: unknown, at = ''): ContentProblem[] {
  const problems: ContentProblem[] = [];
  const visit = (item: unknown, path: string): void => {
    if (typeof item === 'string') {
      const found = unstorable.exec(item)?.[0];
      if (found !== undefined)
        problems.push({ at: path, message: `contains ${nameOf(found)}, which cannot be stored; remove it` });
    } else if (typeof item === 'object' && item !== null) {
      for (const [key, child] of Object.entries(item)) visit(child, path === '' ? key : `${path}.${key}`);
    }
  };
  visit(value, at);
  return problems;
}

const nameOf = (character: string): string =>
  character === '\0'
    ? 'the character U+0000'
    : `half of a surrogate pair (U+${character.charCodeAt(0).toString(16).toUpperCase()})`;
