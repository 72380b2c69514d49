import { randomUUID } from 'node:crypto';
import { COMMANDS, type CommandName, type CommandTable, shownText } from '@broadsheet/management';
import { type Child, createContext, useContext } from 'hono/jsx';
import { type FormFields, type Problems, SEEN, type Sent, seenIn, textsOf } from '../access/sent.ts';
import { blogPath, currentVisit, formToken, mayManage } from '../access/visit.ts';

type ButtonKind = 'first' | 'danger' | 'small' | 'small danger';

interface ButtonProps {
  to?: string | undefined;
  name: Child;
  /** The item that the button acts on, for screen readers. */
  about?: string | undefined;
  kind?: ButtonKind | undefined;
  [attribute: string]: unknown;
}

/** A button that sends its form; with `to`, a link that looks like one. */
export function Button({ to, name, about, kind, ...attributes }: ButtonProps) {
  const Element = to === undefined ? 'button' : 'a';
  const own = to === undefined ? ({ type: 'submit' } as const) : { href: to };
  return (
    <Element class={kind ? `button ${kind}` : 'button'} {...own} {...attributes}>
      {name}
      {about !== undefined && <span class="unseen"> {about}</span>}
    </Element>
  );
}

/** The target of a form: a command or the import of the blog of the page, or a path. */
type Destination = CommandName | 'import' | `/panel/${string}`;
const pathOf = (to: Destination): string => (to.startsWith('/') ? to : blogPath(to));

/** Whether the page is the response to a form that was sent there. */
export const isResponseTo = (to: CommandName): boolean => currentVisit().sent?.to === blogPath(to);

export type HiddenFields = Readonly<Record<string, string | number>>;

interface FormProps {
  to: Destination;
  id?: string;
  class?: string;
  enctype?: 'multipart/form-data';
  fields?: HiddenFields | undefined;
  /** The name of its main button. People with view-only access see the form without it, and cannot change its inputs. */
  submit?: Child;
  submitKind?: ButtonKind;
  /** The page to which a second button leads. */
  cancel?: string;
  /** Attributes by which scripts find the form. */
  [data: `data-${string}`]: string;
  children?: Child;
}

/**
 * A form that changes something, with the token for its path, and with a number, so that a double click runs it once.
 */
export function Form({ to, fields = {}, submit, submitKind, cancel, children, ...attributes }: FormProps) {
  const { session, sent } = currentVisit();
  const path = pathOf(to);
  const hidden = { token: formToken(session, path), once: randomUUID(), ...fields };
  const isEdit = Object.hasOwn(COMMANDS, to) && (COMMANDS as CommandTable)[to]?.current !== undefined;
  return (
    <form method="post" action={path} {...attributes}>
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <EditForm.Provider value={isEdit}>
        <SentForm.Provider value={sent?.to === path && sent.problems.length > 0 ? sent : undefined}>
          {submit === undefined ? (
            children
          ) : (
            <fieldset disabled={!mayManage()}>
              {children}
              {mayManage() && (
                <div class="actions">
                  <Button kind={submitKind} name={submit} />
                  {cancel !== undefined && <Button to={cancel} name="Cancel" />}
                </div>
              )}
            </fieldset>
          )}
        </SentForm.Provider>
      </EditForm.Provider>
    </form>
  );
}

/** The form around an input, if it was sent and has problems. */
const SentForm = createContext<Sent | undefined>(undefined);

/** Whether the form around an input edits what is stored. */
const EditForm = createContext(false);

/** In a form that edits, the value that the page shows: only a field that differs from it was changed. */
export const Seen = ({ name, value }: { name: string; value: string }) =>
  useContext(EditForm) ? <input type="hidden" name={SEEN + name} value={value} /> : null;

/**
 * The values of a field of the form as they were sent, if they were changed; otherwise those that are stored.
 *
 * @param isChanged whether the person has changed the field; by default, compared with what the page showed
 */
export function useTyped(name: string, stored: readonly string[], isChanged = isTyped): readonly string[] {
  const sent = useContext(SentForm);
  return sent && isChanged(sent.fields, name) ? textsOf(sent.fields, name) : stored;
}

export type IsChanged = (fields: FormFields, name: string) => boolean;

function isTyped(fields: FormFields, name: string): boolean {
  return seenIn(fields)[name] !== shownText(textsOf(fields, name));
}

interface FormButtonProps extends ButtonProps {
  to: Destination;
  fields?: HiddenFields;
  /** The question that is asked first, and the name of the button that confirms, if it differs. */
  confirm?: string;
  action?: Child;
  /** The consequences, as the confirmation states them. */
  children?: Child;
}

/** A form with one button. A confirmation is asked for in a popover, which needs no script. */
export function FormButton({ to, fields = {}, confirm, action, children, ...button }: FormButtonProps) {
  if (confirm === undefined) {
    return (
      <Form to={to} fields={fields}>
        <Button {...button} />
      </Form>
    );
  }
  const id = [pathOf(to), ...Object.values(fields)].join('/');
  return (
    <>
      <Button kind="danger" {...button} type="button" popovertarget={id} />
      <div popover="auto" id={id} role="dialog" aria-label={confirm}>
        <Form to={to} fields={fields}>
          <h2>{confirm}</h2>
          {children}
          <div class="actions">
            <Button kind="danger" name={action ?? button.name} />
            <Button name="Cancel" type="button" popovertarget={id} popovertargetaction="hide" autofocus />
          </div>
        </Form>
      </div>
    </>
  );
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The message as a sentence of its own. On the command line, it follows the name of a flag. */
const sentence = (message: string): string => message.replace(/^[a-z]+(?=[ ,:])/, capitalized);

interface FieldProps {
  name: string;
  label: string;
  hint?: Child;
  value?: string | undefined;
  /** The argument whose problems it shows, if that is not its name. */
  of?: string;
  /** Values to choose from, with their texts. */
  options?: Options | undefined;
  /** See {@link useTyped}. */
  isChanged?: IsChanged | undefined;
  /** Attributes of the input; with `rows` it is a text area. */
  [attribute: string]: unknown;
}

export type Options = readonly (readonly [value: string, text: string])[];

/**
 * A labelled input with its hint. In a form that has problems it has the value that was sent, or the one that was probably
 * meant, and its own problems; the browser focuses the first one with a problem.
 */
export function Field({ name, label, hint, value = '', of = name, isChanged, ...input }: FieldProps) {
  const own = useContext(SentForm)?.problems.filter(({ at }) => at === of) ?? [];
  const [typed] = useTyped(name, [value], isChanged);
  const meant = own.find(({ suggestion }) => suggestion !== undefined)?.suggestion;
  const described = hint !== undefined || own.length > 0;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {input['type'] !== 'file' && <Seen name={name} value={value} />}
      <Control
        id={name}
        name={name}
        aria-describedby={described ? `${name}-notes` : undefined}
        {...(own.length > 0 && { 'aria-invalid': 'true', autofocus: true })}
        value={meant ?? typed}
        {...input}
      />
      {described && (
        <div id={`${name}-notes`}>
          {own.map(({ message }) => (
            <p class="wrong">{sentence(message)}</p>
          ))}
          {hint !== undefined && <p class="hint">{hint}</p>}
        </div>
      )}
    </div>
  );
}

function Control({ options, value, ...attributes }: Partial<FieldProps>) {
  if (attributes['rows'])
    return (
      <textarea dir="auto" {...attributes}>
        {value}
      </textarea>
    );
  if (!options) return <input dir="auto" autocomplete="off" value={value} {...attributes} />;
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
  options: readonly (readonly [value: string, text: Child])[];
  chosen: readonly string[];
  /** See {@link useTyped}. */
  isChanged?: IsChanged | undefined;
}

export function Choices({ legend, type, name, options, isChanged, ...props }: ChoicesProps) {
  const chosen = useTyped(name, props.chosen, isChanged);
  return (
    <fieldset id={name}>
      <legend>{legend}</legend>
      <Seen name={name} value={shownText(props.chosen)} />
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

/** The maximum number of problems that are listed; the others are only counted. */
const SHOWN = 1000;

interface ProblemListProps {
  problems: Problems;
  /** The labels of inputs, by their names: problems link to them. */
  labels?: Readonly<Record<string, string>> | undefined;
  intro?: string;
  outcome?: string;
}

export function ProblemList({
  problems,
  labels = {},
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
            {at ? `: ${message}` : sentence(message)}
          </li>
        ))}
        {problems.length > SHOWN && <li>… and {problems.length - SHOWN} more</li>}
      </ul>
    </div>
  );
}
