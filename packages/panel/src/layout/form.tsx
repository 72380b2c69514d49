import type { Child } from 'hono/jsx';
import { formToken, type Visit } from '../access/visit.ts';

type ButtonKind = 'first' | 'danger' | 'small' | 'small danger';

interface ButtonProps {
  name: string;
  /** What the button acts on, for screen readers. */
  about?: string | undefined;
  kind?: ButtonKind;
  [attribute: string]: unknown;
}

export function Button({ name, about, kind, ...attributes }: ButtonProps) {
  return (
    <button class={classOf(kind)} type="submit" {...attributes}>
      {name}
      {about !== undefined && <span class="unseen"> {about}</span>}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({ to, name, about, kind, ...attributes }: ButtonProps & { to: string }) {
  return (
    <a class={classOf(kind)} href={to} {...attributes}>
      {name}
      {about !== undefined && <span class="unseen"> {about}</span>}
    </a>
  );
}

const classOf = (kind: ButtonKind | undefined): string => (kind ? `button ${kind}` : 'button');

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

interface FormButtonProps extends ButtonProps {
  visit: Visit;
  to: string;
  /** Hidden fields of the form. */
  fields?: Readonly<Record<string, string | number>>;
}

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

interface ConfirmButtonProps extends ButtonProps {
  visit: Visit;
  to: string;
  title: string;
  /** The name of the button that confirms, if it differs. */
  action?: string;
  children?: Child;
}

/** A button that asks for confirmation and names what it destroys, in a popover, which needs no script. */
export function ConfirmButton({ visit, to, title, action, children, ...button }: ConfirmButtonProps) {
  return (
    <>
      <Button kind="danger" {...button} type="button" popovertarget={to} />
      <div popover="auto" id={to} role="dialog" aria-label={title}>
        <Form visit={visit} to={to}>
          <h2>{title}</h2>
          {children}
          <div class="actions">
            <Button kind="danger" name={action ?? button.name} />
            <Button name="Cancel" type="button" popovertarget={to} popovertargetaction="hide" autofocus />
          </div>
        </Form>
      </div>
    </>
  );
}

/** The problems of a form; `at` is the name of a field. */
export type Problems = readonly {
  readonly at?: string | undefined;
  readonly message: string;
  readonly code?: string | undefined;
}[];

interface FieldProps {
  name: string;
  label: string;
  hint?: Child;
  problems?: Problems;
  /** Values to choose from, with their texts. */
  options?: Options | undefined;
  /** Attributes of the input; with `rows` it is a text area. */
  [attribute: string]: unknown;
}

export type Options = readonly (readonly [value: string, text: string])[];

/** A labelled input with its hint and its problems; the browser focuses the first one with a problem. */
export function Field({ name, label, hint, problems = [], ...input }: FieldProps) {
  const own = problems.filter(({ at }) => at === name);
  const described = hint !== undefined || own.length > 0;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <Control
        id={name}
        name={name}
        aria-describedby={described ? `${name}-said` : undefined}
        {...(own.length > 0 && { 'aria-invalid': 'true', autofocus: true })}
        {...input}
      />
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

interface ControlProps {
  options?: Options | undefined;
  value?: string;
  [attribute: string]: unknown;
}

function Control({ options, value, ...attributes }: ControlProps) {
  if (attributes['rows']) return <textarea {...attributes}>{value}</textarea>;
  if (!options) return <input autocomplete="off" value={value} {...attributes} />;
  return (
    <select {...attributes}>
      {options.map(([option, text]) => (
        <option value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface ChoicesProps {
  legend: string;
  type: 'checkbox' | 'radio';
  name: string;
  options: Options;
  chosen: readonly string[];
}

export function Choices({ legend, type, name, options, chosen }: ChoicesProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="choices">
        {options.map(([value, text]) => (
          <label>
            <input type={type} name={name} value={value} checked={chosen.includes(value)} /> {text}
          </label>
        ))}
      </div>
    </fieldset>
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
