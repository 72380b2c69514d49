import type { ContentProblem } from '../problem.ts';

const unstorable = /[\0\uD800-\uDFFF]/u;

/**
 * Finds the strings in a value that a database cannot store unchanged: those with U+0000 or a lone surrogate. JSON can
 * contain both as escapes.
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
    : `a lone surrogate (U+${character.charCodeAt(0).toString(16).toUpperCase()})`;
