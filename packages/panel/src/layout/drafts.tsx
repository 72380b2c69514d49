import type { AD_FIELDS, CAMPAIGN_FIELDS } from '@broadsheet/management';
import { type FormFields, textOf } from '../access/guard.tsx';
import { Field, type Options, type Problems } from './form.tsx';

/** A field of an ad or a campaign, as `@broadsheet/management` describes it. */
interface DraftField<Name extends string> {
  readonly name: Name;
  readonly kind: (typeof AD_FIELDS)[number]['kind'] | (typeof CAMPAIGN_FIELDS)[number]['kind'];
  readonly label: string;
  readonly hint?: string;
  readonly maxLength?: number;
  readonly choices?: readonly string[];
}

/** The fields of a form, as typed. */
export type Typed<Name extends string> = Readonly<Record<Name, string>>;

/** The attributes of the inputs of some kinds of fields. */
const INPUTS: Partial<Record<DraftField<string>['kind'], object>> = {
  url: { inputmode: 'url', spellcheck: false },
  'first day': { type: 'date' },
  'last day': { type: 'date' },
  number: { type: 'number', step: '1' },
  paragraph: { rows: 3 },
};

// The cast is safe because there is one entry for each name.
const byName = <Name extends string>(
  fields: readonly DraftField<Name>[],
  textFor: (field: DraftField<Name>) => string,
) => Object.fromEntries(fields.map((field) => [field.name, textFor(field)])) as Typed<Name>;

/** The texts that a form shows for these values; dates are whole days. */
export const typedOf = <Name extends string>(
  fields: readonly DraftField<Name>[],
  values: Readonly<Partial<Record<Name, unknown>>>,
): Typed<Name> =>
  byName(fields, ({ name, kind }) => {
    const text = String(values[name] ?? '');
    return kind.endsWith('day') ? text.slice(0, 10) : text;
  });

export const readTyped = <Name extends string>(fields: readonly DraftField<Name>[], form: FormFields): Typed<Name> =>
  byName(fields, ({ name }) => textOf(form, name));

/** Only the changed fields: an unchanged day keeps its time, and an ad that has ended can still be edited. */
export function changedIn<Name extends string>(typed: Typed<Name>, before: Typed<Name>): Partial<Typed<Name>> {
  const names = (Object.keys(typed) as Name[]).filter((name) => typed[name] !== before[name]);
  return Object.fromEntries(names.map((name) => [name, typed[name]])) as Partial<Typed<Name>>;
}

interface DraftInputProps {
  field: DraftField<string>;
  value: string;
  problems: Problems;
  options?: Options | undefined;
}

export function DraftInput({ field, options, ...rest }: DraftInputProps) {
  const { name, label, kind, hint, maxLength, choices } = field;
  const choose = options ?? choices?.map((choice) => [choice, choice] as const);
  return <Field {...{ name, label, hint }} {...INPUTS[kind]} maxlength={maxLength} options={choose} {...rest} />;
}
