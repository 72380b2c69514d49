import { type Fields, shownText } from '@broadsheet/management';
import { currentVisit } from '../access/visit.ts';
import { Field, type Options } from './form.tsx';

type Values = Readonly<Record<string, unknown>>;

/** The attributes of the inputs of some kinds of fields. */
const INPUTS: Partial<Record<Fields[string]['kind'], object>> = {
  url: { inputmode: 'url', spellcheck: false },
  'first day': { type: 'date' },
  'last day': { type: 'date' },
  number: { type: 'number', step: '1' },
  amount: { type: 'number', step: '1' },
  paragraph: { rows: 3 },
};

export const labelsOf = (fields: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label]));

/** Leaves out fields that equal those of an original, so that a day keeps its time. */
export function changedIn(fields: Fields, typed: Values, before: Values, timeZone: string | undefined): object {
  const isChanged = ([name, value]: [string, unknown]) =>
    shownText(before[name], fields[name]?.kind, timeZone) !== (value ?? '');
  return Object.fromEntries(Object.entries(typed).filter(isChanged));
}

interface DraftInputsProps<F extends Fields> {
  fields: F;
  names: readonly (keyof F & string)[];
  values: Values;
  /** The choices for a field that has no fixed ones. */
  options?: Options;
}

export const DraftInputs = <F extends Fields>({ fields, names, values, options }: DraftInputsProps<F>) => (
  <>
    {names.map((name) => {
      const { label, kind, hint, maxLength: maxlength, choices = [] } = fields[name] as Fields[string];
      const choose = choices.length > 0 ? choices.map((choice) => [choice, choice] as const) : options;
      const chosen = kind === 'choice' && { options: choose };
      const value = shownText(values[name], kind, currentVisit().blog?.timeZone);
      return <Field {...{ name, label, hint }} {...INPUTS[kind]} {...{ maxlength, value }} {...chosen} />;
    })}
  </>
);
