/** How a process learns that blogs and keys have been written. */
export interface Changes {
  /** What was read is good for as long as this gives the same number. */
  epoch(): number;
  /** Calls back when a blog or a key of it was written; with nothing when it may have been any blog. */
  listen(onChange: (blogId: string | undefined) => void): void;
}
