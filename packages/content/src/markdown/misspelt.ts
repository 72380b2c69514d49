import { distance } from 'fastest-levenshtein';

/** Fields of front matter that are read; every other one belongs to the author of the files. */
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

/** Fields that look like known ones; one whose known spelling is there too was meant as it is. */
export function misspeltFields(fields: readonly string[]): Misspelt[] {
  return fields.flatMap((field) => {
    if (KNOWN.includes(field)) return [];
    const letters = lettersOf(field);
    const meant = KNOWN.find((known) => slips(letters, lettersOf(known)) <= (letters.length < 8 ? 1 : 2));
    return meant === undefined || fields.includes(meant) ? [] : [{ field, meant }];
  });
}

/** One note for each misspelt field, however many files have it. */
export function misspeltNotes(files: readonly { readonly path: string; readonly misspelt: readonly Misspelt[] }[]) {
  const all = files.flatMap(({ path, misspelt }) => misspelt.map((found) => ({ path, ...found })));
  return [...Map.groupBy(all, ({ field }) => field)].map(([field, [first, ...others]]) => {
    const where = others.length === 0 ? first?.path : `${others.length + 1} files, ${first?.path} the first of them`;
    return `the field "${field}" is not read (${where}); did you mean "${first?.meant}"?`;
  });
}

const lettersOf = (field: string): string => field.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** How many letters must be added, removed or replaced to turn `a` into `b`; letters in another order count as one slip. */
const slips = (a: string, b: string): number => (sortedLetters(a) === sortedLetters(b) ? 1 : distance(a, b));

const sortedLetters = (word: string): string => [...word].sort().join('');
