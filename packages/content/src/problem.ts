/** One thing that keeps content from being imported. */
export interface ContentProblem {
  /** Where: a path inside the file (`blogs.0.posts.3.slug`), or a file with line and column (`news/hello.md:2:5`). */
  readonly at: string;
  /** What is wrong, with the value and the repair. */
  readonly message: string;
}

/** What a step of reading makes: its value, or every problem it met. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly ContentProblem[] };

/** A step that failed for one reason. */
export function refuse(at: string, message: string): Read<never> {
  return { ok: false, problems: [{ at, message }] };
}

/** Shortens a value for a message. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
