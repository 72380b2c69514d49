import type { FieldError } from '@broadsheet/contract';

/** A reason why an operation cannot be done. */
export interface OperationProblem {
  /** The name of a field in a snapshot (`linkUrl`), or a position in imported content (`news/hello.md:2:5`). */
  readonly at?: string;
  /** A sentence that names what failed, the value and the fix. */
  readonly message: string;
  /** The kind of problem, if callers need to distinguish it. */
  readonly code?: string;
  /** A value that was probably meant. */
  readonly suggestion?: string;
}

/**
 * Why an operation was not done: its input is invalid, it conflicts with stored data, it names something that does not
 * exist, it is not permitted, or its form was sent before.
 */
export type OperationErrorCode = 'INVALID' | 'CONFLICT' | 'NOT_FOUND' | 'FORBIDDEN' | 'ALREADY_SENT';

/** Thrown when an operation cannot be done as requested, with every problem at once. Nothing was changed. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly problems: readonly OperationProblem[];
  readonly code: OperationErrorCode;

  constructor(problems: string | readonly (string | OperationProblem)[], code: OperationErrorCode = 'INVALID') {
    const list = typeof problems === 'string' ? [problems] : problems;
    const all = list.map((problem) => (typeof problem === 'string' ? { message: problem } : problem));
    super(all.map(({ at, message }) => (at === undefined ? message : `${at}: ${message}`)).join('\n'));
    this.problems = all;
    this.code = code;
  }
}

/** The problems that a rule found, each at its field. */
export const problemsAt = (fields: readonly FieldError[]): OperationProblem[] =>
  fields.map(({ field, message }) =>
    field === '' ? { message } : { at: field, message: message.slice(field.length + 2) },
  );

/** @throws OperationError that says what is missing in a blog */
export function notFound(blog: string, what: 'post' | 'ad' | 'campaign' | 'webhook' | 'message', id: string): never {
  const message = `There is no ${what} ${JSON.stringify(id)} in ${blog}; list its ${what}s to see their ids.`;
  throw new OperationError(message, 'NOT_FOUND');
}
