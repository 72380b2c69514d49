import { dayOf } from '@broadsheet/core';
import type { Fields } from '@broadsheet/management';
import { Field, type Options } from './form.tsx';

/** The fields of a form, as typed. */
export type Typed<F extends Fields> = Readonly<Record<keyof F, string>>;

/** The attributes of the inputs of some kinds of fields. */
const INPUTS: Partial<Record<Fields[string]['kind'], object>> = {
  url: { inputmode: 'url', spellcheck: false },
  'first day': { type: 'date' },
  'last day': { type: 'date' },
  number: { type: 'number', step: '1' },
  amount: { type: 'number', step: '1' },
  paragraph: { rows: 3 },
};

/** The labels of fields, by their names. */
export const labelsOf = (fields: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label]));

/** The texts that a form shows for these values; dates are whole days in the time zone of the blog. */
export const typedOf = <F extends Fields>(
  fields: F,
  values: Readonly<Partial<Record<keyof F, unknown>>>,
  timeZone: string | undefined,
): Typed<F> => {
  const texts = Object.entries(fields).map(([name, { kind }]) => {
    const text = String(values[name] ?? '');
    return [name, text && kind.endsWith('day') ? dayOf(Date.parse(text), timeZone) : text];
  });
  // The cast is safe because there is one entry for each name.
  return Object.fromEntries(texts) as Typed<F>;
};

/** Without the fields that are unchanged: a day keeps its time, and an ad that has ended can still be edited. */
export const changedIn = (typed: Readonly<Record<string, unknown>>, before: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(typed).filter(([name, value]) => before[name] !== (value ?? '')));

interface DraftInputsProps<F extends Fields> {
  fields: F;
  names: readonly (keyof F & string)[];
  typed: Typed<F>;
  /** What a field without fixed choices is chosen from. */
  options?: Options;
}

/** The inputs of some fields. */
export const DraftInputs = <F extends Fields>({ fields, names, typed, options }: DraftInputsProps<F>) => (
  <>
    {names.map((name) => {
      const { label, kind, hint, maxLength: maxlength, choices = [] } = fields[name] as Fields[string];
      const choose = choices.length > 0 ? choices.map((choice) => [choice, choice] as const) : options;
      const chosen = kind === 'choice' && { options: choose };
      return <Field {...{ name, label, hint }} {...INPUTS[kind]} {...{ maxlength, value: typed[name] }} {...chosen} />;
    })}
  </>
);
