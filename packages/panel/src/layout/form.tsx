import type { Child } from 'hono/jsx';
import { formToken, type Visit } from '../door/visit.ts';
import { Button, type ButtonKind } from './button.tsx';

interface FormProps {
  visit: Visit;
  to: string;
  id?: string;
  class?: string;
  enctype?: 'multipart/form-data';
  /** Attributes by which scripts find the form. */
  [data: `data-${string}`]: string;
  children?: Child;
}

/** A form that changes something, with the token for its path. */
export function Form({ visit, to, children, ...attributes }: FormProps) {
  return (
    <form method="post" action={to} {...attributes}>
      <input type="hidden" name="token" value={formToken(visit.session, to.split('?')[0] ?? '')} />
      {children}
    </form>
  );
}

interface FormButtonProps {
  visit: Visit;
  to: string;
  name: string;
  about?: string;
  kind?: ButtonKind;
  /** Hidden fields of the form. */
  fields?: Readonly<Record<string, string | number>>;
}

/** A form that consists of one button. */
export function FormButton({ visit, to, fields = {}, ...button }: FormButtonProps) {
  return (
    <Form visit={visit} to={to}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button {...button} />
    </Form>
  );
}

/** The problems of a form; `at` is the name of a field. */
export type Problems = readonly {
  readonly at?: string | undefined;
  readonly message: string;
  readonly code?: string | undefined;
}[];

interface InputAttributes {
  id: string;
  name: string;
  autofocus?: boolean;
  'aria-describedby'?: string;
  'aria-invalid'?: 'true';
}

interface FieldProps {
  name: string;
  label: string;
  hint?: Child;
  problems?: Problems;
  /** Renders another control instead of an input. */
  control?: (attributes: InputAttributes) => Child;
  /** Attributes of the input. */
  [attribute: string]: unknown;
}

/** A labelled input with its hint and its problems; the browser focuses the first one with a problem. */
export function Field({ name, label, hint, problems = [], control, ...input }: FieldProps) {
  const own = problems.filter(({ at }) => at === name);
  const described = hint !== undefined || own.length > 0;
  const attributes: InputAttributes = {
    id: name,
    name,
    ...(described && { 'aria-describedby': `${name}-said` }),
    ...(own.length > 0 && { 'aria-invalid': 'true', autofocus: true }),
  };
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {control ? control(attributes) : <input autocomplete="off" {...attributes} {...input} />}
      {described && (
        <div id={`${name}-said`} class="said">
          {own.map(({ message }) => (
            <p class="wrong">{message}</p>
          ))}
          {hint !== undefined && <p class="hint">{hint}</p>}
        </div>
      )}
    </div>
  );
}

interface SelectProps {
  name: string;
  label: string;
  hint?: Child;
  problems: Problems;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
}

/** A labelled choice of one value. */
export function Select({ value, options, ...field }: SelectProps) {
  return (
    <Field
      {...field}
      control={(input) => (
        <select {...input}>
          {options.map(([option, text]) => (
            <option value={option} selected={option === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    />
  );
}

/** How many problems are listed; the others are only counted. */
const SHOWN = 1000;

interface ProblemListProps {
  problems: Problems;
  /** The labels of inputs, by their names: problems link to them. */
  labels: Readonly<Record<string, string>>;
  intro?: string;
  outcome?: string;
}

/** The list of all problems of a form. */
export function ProblemList({
  problems,
  labels,
  intro = 'Please fix',
  outcome = 'Nothing was saved.',
}: ProblemListProps) {
  if (problems.length === 0) return null;
  return (
    <div class="problems" role="alert">
      <p>
        {intro} {problems.length === 1 ? '1 problem' : `${problems.length} problems`}. {outcome}
      </p>
      <ul>
        {problems.slice(0, SHOWN).map(({ at = '', message }) => (
          <li>
            {Object.hasOwn(labels, at) ? <a href={`#${at}`}>{labels[at]}</a> : at && <code>{at}</code>}
            {at && ': '}
            {message}
          </li>
        ))}
        {problems.length > SHOWN && <li>… and {problems.length - SHOWN} more</li>}
      </ul>
    </div>
  );
}
