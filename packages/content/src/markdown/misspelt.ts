import { distance } from 'fastest-levenshtein';

/** The fields of front matter that are read; all others are ignored. */
const KNOWN = [
  'title',
  'slug',
  'date',
  'publishedAt',
  'scheduledAt',
  'draft',
  'published',
  'status',
  'subtitle',
].concat(['description', 'excerpt', 'author', 'cover', 'image', 'category', 'categories', 'tags']);

/** A field that is not read but looks like one that is. */
export interface Misspelt {
  readonly field: string;
  readonly meant: string;
}

/** Fields that look like known ones. If the known field is present too, the other one is not a misspelling of it. */
export function misspeltFields(fields: readonly string[]): Misspelt[] {
  return fields.flatMap((field) => {
    if (KNOWN.includes(field)) return [];
    const letters = lettersOf(field);
    const meant = KNOWN.find((known) => slips(letters, lettersOf(known)) <= (letters.length < 8 ? 1 : 2));
    return meant === undefined || fields.includes(meant) ? [] : [{ field, meant }];
  });
}

/** One note for each misspelt field, regardless of the number of files. */
export function misspeltNotes(files: readonly { readonly path: string; readonly misspelt: readonly Misspelt[] }[]) {
  const all = files.flatMap(({ path, misspelt }) => misspelt.map((found) => ({ path, ...found })));
  return [...Map.groupBy(all, ({ field }) => field)].map(([field, [first, ...others]]) => {
    const where = others.length === 0 ? first?.path : `${others.length + 1} files, the first is ${first?.path}`;
    return `the field "${field}" is not read (${where}); did you mean "${first?.meant}"?`;
  });
}

const lettersOf = (field: string): string => field.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The number of letters to add, remove or replace to turn `a` into `b`; a reordering of all letters counts as one. */
const slips = (a: string, b: string): number => (sortedLetters(a) === sortedLetters(b) ? 1 : distance(a, b));

const sortedLetters = (word: string): string => [...word].sort().join('');
