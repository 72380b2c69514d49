/** One thing that keeps an operation from being done. */
export interface OperationProblem {
  /** Where: a field by its name in a snapshot (`linkUrl`), or a place in what was imported (`news/hello.md:2:5`). */
  readonly at?: string;
  /** A sentence that names what failed, the value and the repair. */
  readonly message: string;
}

/** Thrown when what was asked for cannot be done as asked, with every problem at once. Nothing was changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problems: readonly OperationProblem[];
  /** Whether a blog, a post, an ad or a key was asked for that is not there. */
  readonly missing: boolean;

  constructor(
    problems: string | readonly (string | OperationProblem)[],
    { missing = false }: { readonly missing?: boolean } = {},
  ) {
    const list = typeof problems === 'string' ? [problems] : problems;
    const all = list.map((problem) => (typeof problem === 'string' ? { message: problem } : problem));
    super(all.map(({ at, message }) => (at === undefined ? message : `${at}: ${message}`)).join('\n'));
    this.problems = all;
    this.missing = missing;
  }
}
