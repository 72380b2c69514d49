import { createHash } from 'node:crypto';
import type { OperationProblem, Shown } from '@broadsheet/management';
import type { Child } from 'hono/jsx';

/** The fields of a form as they were sent; a file is a `File`. */
export type FormFields = Readonly<Record<string, string | File | readonly (string | File)[]>>;

/** The problems of a form; `at` is the name of a field. */
export type Problems = readonly OperationProblem[];

/** A secret, such as a key or a link, that is shown once. */
export interface Secret {
  /** For the copy button. */
  readonly name: string;
  readonly value: string;
  /** Its purpose. */
  readonly text: Child;
}

/** The outcome of a command that shows something once. */
export const showOnce = (name: string, value: string, text: Child) => ({ secret: { name, value, text } });

/** A form whose response is a page. */
export interface Sent {
  /** The path that it was sent to. */
  readonly to: string;
  readonly fields: FormFields;
  /** Why nothing was done, if the form has problems. */
  readonly problems: Problems;
  /** Secrets that are shown only now. */
  readonly secrets: readonly Secret[];
}

/** Before the name of a field, the name of a hidden one with the value that the page showed. */
export const SEEN = 'seen.';

/** The values that the page of a form showed, by the names of their fields. */
export const seenIn = (form: FormFields): Shown =>
  Object.fromEntries(
    Object.keys(form)
      .filter((name) => name.startsWith(SEEN))
      .map((name) => [name.slice(SEEN.length), textOf(form, name)]),
  );

/** The texts of a field; none if it was not sent or is a file. */
export const textsOf = (form: FormFields, name: string): readonly string[] =>
  [form[name] ?? []].flat().flatMap((one) => (typeof one === 'string' ? [one.replaceAll('\r\n', '\n')] : []));

/** The text of a field; empty if it was not sent or is a file. */
export const textOf = (form: FormFields, name: string): string => textsOf(form, name)[0] ?? '';

/** The files of a field; a browser sends an empty one without a name if none was chosen. */
export const filesOf = (form: FormFields, name: string): readonly File[] =>
  [form[name] ?? []].flat().filter((one) => one instanceof File);

/** The number of a form. It depends on the values, because after going back, the same page may send other values. */
export const numberOf = (form: FormFields): string | undefined =>
  form['once'] === undefined ? undefined : createHash('sha256').update(JSON.stringify(form)).digest('base64url');
