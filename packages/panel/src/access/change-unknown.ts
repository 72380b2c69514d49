import { OutcomeUnknown } from '@broadsheet/core';
import type { Secret } from './sent.ts';

/** Thrown when it is not known whether a change was made, with the secrets that it has created if it was. */
export class ChangeUnknown extends Error {
  override readonly name = 'ChangeUnknown';
  readonly secrets: readonly Secret[];

  constructor(secrets: readonly Secret[], cause: unknown) {
    super('It is not known whether the change was made.', { cause });
    this.secrets = secrets;
  }

  /** The text of the page. The database may be away, so it is not part of a page that reads anything. */
  get text(): string {
    const secrets = this.secrets.map(({ name, value }) => ` If it was saved, ${name} is ${value}`);
    return `The database was lost during the change, and it is not known whether it was saved. Check it before you try again.${secrets.join('')}`;
  }
}

/**
 * Adds the secrets of a change to an error that leaves its outcome unknown; returns other errors unchanged.
 *
 * @param secretsOf the secrets in the result of the change
 */
export function withSecrets<Result>(error: unknown, secretsOf: (result: Result) => readonly Secret[]): unknown {
  if (!(error instanceof OutcomeUnknown)) return error;
  // The result of the work that was committed.
  return new ChangeUnknown(error.result === undefined ? [] : secretsOf(error.result as Result), error);
}
