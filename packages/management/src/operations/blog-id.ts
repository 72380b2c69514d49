/** What would stand where the panel has pages of its own, or where no browser goes. */
const RESERVED_IDS: ReadonlySet<string> = new Set([
  ...['assets', 'blogs', 'log', 'people', 'sign-in', 'sign-out'],
  ...['.', '..'],
]);

/** Says why a new blog cannot have this id; the pages of a blog are at `/panel/ID`. */
export function reservedId(id: string): string | undefined {
  if (!RESERVED_IDS.has(id)) return undefined;
  return `a blog cannot have the id ${JSON.stringify(id)}: /panel/${id} is an address of the panel itself; choose another`;
}

const LONGEST = 200;

/**
 * Says why an id that somebody types for a new blog is refused: it stands in commands, addresses and logs. The blogs of
 * a snapshot have ids already, whatever they look like.
 */
export function wrongBlogId(id: string): string | undefined {
  const reserved = reservedId(id);
  if (reserved !== undefined) return reserved;
  if (/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u.test(id) && id.length <= LONGEST) return undefined;
  const received = id.length <= LONGEST ? JSON.stringify(id) : `a text of ${id.length} characters`;
  const rule = `start with a letter or a digit, and continue with letters, digits, ".", "_" or "-"`;
  return `the id of a blog cannot be ${received}: ${rule}, at most ${LONGEST} characters in all`;
}
