import { OperationError } from '@broadsheet/management';
import type { Child } from 'hono/jsx';
import { formToken, type Visit } from '../door/visit.ts';
import { Button, type ButtonKind } from './button.tsx';

interface FormProps {
  visit: Visit;
  to: string;
  id?: string;
  class?: string;
  enctype?: 'multipart/form-data';
  /** Attributes for scripts to find it by. */
  [data: `data-${string}`]: string;
  children?: Child;
}

/** A form that changes something: it carries the token of its place. */
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
  /** What is sent with it. */
  fields?: Readonly<Record<string, string | number>>;
}

/** A form that is a button and nothing else. */
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

/** What was wrong with what was typed, by the name of its field. */
export type Problems = readonly {
  readonly at?: string | undefined;
  readonly message: string;
  readonly code?: string | undefined;
}[];

/** The problems of what was typed; any other error goes on. */
export function problemsOf(error: unknown): Problems {
  if (!(error instanceof OperationError) || error.code === 'NOT_FOUND') throw error;
  return error.problems;
}

/** The status of a page that shows the problems of an error. */
export const statusOf = (error: unknown): 400 | 409 =>
  error instanceof OperationError && error.code === 'CONFLICT' ? 409 : 400;

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
  /** Another control than an input. */
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

/** Every problem of a form, with links to the inputs they belong to. */
export function ProblemList({ problems, labels }: { problems: Problems; labels: Readonly<Record<string, string>> }) {
  if (problems.length === 0) return null;
  return (
    <div class="problems" role="alert">
      <p>Please fix {problems.length === 1 ? '1 problem' : `${problems.length} problems`}. Nothing was saved.</p>
      <ul>
        {problems.map(({ at = '', message }) => (
          <li>
            {Object.hasOwn(labels, at) ? <a href={`#${at}`}>{labels[at]}</a> : at}
            {at && ': '}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
