/** @jsxImportSource hono/jsx */
import { OperationError } from '@broadsheet/management';
import type { Child } from 'hono/jsx';
import { formToken, type Visit } from '../door/visit.ts';

/** A form that changes something: it carries the token of its place. */
export function Form({
  visit,
  to,
  files,
  class: name,
  data,
  children,
}: {
  visit: Visit;
  to: string;
  files?: boolean;
  class?: string;
  /** Attributes for scripts to find it by. */
  data?: Readonly<Record<`data-${string}`, string>>;
  children?: Child;
}) {
  return (
    <form method="post" action={to} class={name} enctype={files ? 'multipart/form-data' : undefined} {...data}>
      <input type="hidden" name="token" value={formToken(visit.session, to.split('?')[0] ?? '')} />
      {children}
    </form>
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

/** A labelled input with its hint and its problems. */
export function Field({
  name,
  label,
  hint,
  problems = [],
  children,
}: {
  name: string;
  label: string;
  hint?: Child;
  problems?: Problems;
  children: (attributes: { id: string; name: string; 'aria-describedby'?: string; 'aria-invalid'?: 'true' }) => Child;
}) {
  const own = problems.filter(({ at }) => at === name);
  const said = hint !== undefined || own.length > 0;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children({
        id: name,
        name,
        ...(said && { 'aria-describedby': `${name}-said` }),
        ...(own.length > 0 && { 'aria-invalid': 'true' as const }),
      })}
      {said && (
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

/** The problems that belong to no input of the form. */
export function OtherProblems({ problems, fields }: { problems: Problems; fields: readonly string[] }) {
  if (problems.length === 0) return null;
  const others = problems.filter(({ at }) => at === undefined || !fields.includes(at));
  return (
    <div class="problems" role="alert">
      <p>
        {problems.length === 1 ? 'One thing is to be mended' : `${problems.length} things are to be mended`}; nothing
        was changed.
      </p>
      {others.length > 0 && (
        <ul>
          {others.map(({ at, message }) => (
            <li>{at ? `${at}: ${message}` : message}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
