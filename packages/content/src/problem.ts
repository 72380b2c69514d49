/** A problem that prevents content from being imported. */
export interface ContentProblem {
  /** Where: a path inside the file (`blogs.0.posts.3.slug`), or a file with line and column (`news/hello.md:2:5`). */
  readonly at: string;
  /** The problem, with the value and the fix. */
  readonly message: string;
  /**
   * `NAMES_ITS_BLOGS`: a blog id was given for a snapshot, which names its own blogs. `IMAGE`: an image that
   * `allowMissing` leaves as written. `FILE`: a file that `skipBad` leaves out.
   */
  readonly code?: 'NAMES_ITS_BLOGS' | 'IMAGE' | 'FILE';
}

/** The result of a step of reading: its value, or all problems that it found. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly ContentProblem[] };

/** A step that failed for one reason. */
export function failedRead(at: string, message: string, code?: ContentProblem['code']): Read<never> {
  return { ok: false, problems: [{ at, message, ...(code && { code }) }] };
}

/** Shortens a value for a message. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
