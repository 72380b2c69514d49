import { distance } from 'fastest-levenshtein';
import { FIELD_NAMES, fieldKey, type Meaning } from './field-names.ts';

const NAMES = (Object.keys(FIELD_NAMES) as Meaning[]).flatMap((meaning) =>
  FIELD_NAMES[meaning].map((name) => ({ name, meaning })),
);

/** The known field that a name may be a misspelling of. */
export function meantBy(field: string): { readonly name: string; readonly meaning: Meaning } | undefined {
  const key = fieldKey(field);
  return NAMES.find(({ name }) => slips(key, fieldKey(name)) <= (key.length < 8 ? 1 : 2));
}

/** The number of letters to add, remove or replace to turn `a` into `b`; a reordering of all letters counts as one. */
const slips = (a: string, b: string): number => (sortedLetters(a) === sortedLetters(b) ? 1 : distance(a, b));

const sortedLetters = (word: string): string => [...word].sort().join('');
