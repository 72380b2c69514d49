import { meantBy } from './misspelt.ts';

/** The fields of one file that are not read. */
interface UnreadFields {
  readonly path: string;
  readonly unread: readonly string[];
}

/** One note that lists the fields that are not read, and one for each that looks like a misspelling. */
export function unreadNotes(files: readonly UnreadFields[]): string[] {
  const all = files.flatMap(({ path, unread }) => unread.map((field) => ({ path, field })));
  const byField = [...Map.groupBy(all, ({ field }) => field)].map(([field, uses]) => ({
    field,
    where: placesOf(uses),
  }));
  const similar = byField.map((entry) => ({ ...entry, meant: meantBy(entry.field)?.name }));
  const others = similar.filter(({ meant }) => meant === undefined).map(({ field, where }) => `"${field}" (${where})`);
  return [
    ...similar.flatMap(({ field, where, meant }) =>
      meant === undefined ? [] : `the field "${field}" is not read (${where}); did you mean "${meant}"?`,
    ),
    ...(others.length > 0 ? [`fields that are not read: ${others.join(', ')}`] : []),
  ];
}

const placesOf = ([first, ...others]: readonly { readonly path: string }[]): string =>
  others.length === 0 ? `${first?.path}` : `${others.length + 1} files, the first is ${first?.path}`;
