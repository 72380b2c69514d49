/** Thrown when what the operator asked for cannot be done as asked: the command ends with exit code 2. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Every problem found, each a sentence that names what failed, the value and the repair. */
  readonly problems: readonly string[];

  constructor(problems: string | readonly string[]) {
    const list = typeof problems === 'string' ? [problems] : problems;
    super(list.join('\n'));
    this.problems = list;
  }
}
