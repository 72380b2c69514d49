import * as z from 'zod/mini';
import type { Validated } from '../rules/accept.ts';
import * as wording from '../rules/wording.ts';

type Issue = z.core.$ZodIssue;

/** The message of a rule that has none of its own, regardless of the language that the program has chosen for zod. */
const UNEXPLAINED = 'Invalid input';

/** Validates an input by a schema, with the error messages of the API. `at` is the path of the input. */
export function validate<S extends z.core.$ZodType>(
  schema: S,
  input: unknown,
  at?: readonly PropertyKey[],
): Validated<z.output<S>> {
  const result = z.safeParse(schema, input, { reportInput: true, error: () => UNEXPLAINED });
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, fields: fieldErrors(result.error.issues, at) };
}

/** Converts the issues of a schema to the field errors of the API, each with a dotted path, a sentence and a code. */
function fieldErrors(issues: readonly Issue[], at: readonly PropertyKey[] = []): wording.FieldError[] {
  return issues.map((issue) => {
    const { text, code } = isMissing(issue) ? wording.MISSING : { text: explain(issue), code: issue.code };
    return wording.fieldError({ path: [...at, ...issue.path], text, code });
  });
}

const isMissing = (issue: Issue): boolean =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined;

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

function explain(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return wording.wrongType(issue.expected, issue.input);
    case 'too_small':
      return wording.tooSmall(Number(issue.minimum), units[issue.origin]);
    case 'too_big':
      return wording.tooBig(Number(issue.maximum), units[issue.origin]);
    case 'invalid_value':
      return wording.wrongValue(issue.values, issue.input);
    case 'invalid_format':
      return wording.wrongForm(formOf(issue), issue.input);
    case 'unrecognized_keys':
      return wording.unknownKeys(issue.keys);
    default:
      return issue.message === UNEXPLAINED ? `is not valid (${wording.show(issue.input)})` : lowerFirst(issue.message);
  }
}

function formOf({ format, message }: Extract<Issue, { code: 'invalid_format' }>): string {
  if (format === 'regex' && message !== UNEXPLAINED) return lowerFirst(message).replace(/^expected /, '');
  return (wording.FORMS as Readonly<Record<string, string>>)[format] ?? `the format ${format}`;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
