const MOST_NOTES = 20;

/** Notes on posts, by name. If there are too many, one note names the first post and counts the others. */
export function manyNotes(names: readonly string[], what: string): string[] {
  const [first] = names;
  if (names.length <= MOST_NOTES) return names.map((name) => `${name} ${what}`);
  return [`${first} and ${names.length - 1} others: each ${what}`];
}
