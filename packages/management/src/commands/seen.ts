import { dayOf } from '@broadsheet/core';
import { OperationError, type OperationProblem } from '../operations/operation-error.ts';

/** The values of arguments as a form shows them, by the names of the arguments. */
export type Shown = Readonly<Record<string, string>>;

/** The text that a form shows for a value: dates are whole days in the time zone of the blog, and a list has lines. */
export function shownText(value: unknown, kind?: string, timeZone?: string): string {
  if (Array.isArray(value)) return value.join('\n');
  const text = String(value ?? '');
  return text && kind?.endsWith('day') ? dayOf(Date.parse(text), timeZone) : text;
}

/**
 * The arguments that somebody has changed, and those that are required: the others keep what is stored now, which they may
 * not have seen.
 */
export const changedFrom = (seen: Shown, args: object, isRequired: (name: string) => boolean): object =>
  Object.fromEntries(
    Object.entries(args).filter(([name, value]) => seen[name] !== shownText(value) || isRequired(name)),
  );

/**
 * The arguments, of which those that were not changed have their current value. Refuses a change of a value that somebody
 * else has changed since it was seen, unless both chose the same.
 *
 * @throws OperationError that names both values
 */
export function onCurrent<Args extends object>(seen: Shown, current: Shown, args: Args): Args {
  const problems = Object.entries(args).flatMap(([at, value]): OperationProblem[] => {
    const [before, now, entered] = [seen[at], current[at], shownText(value)];
    if (now === undefined || [undefined, now, entered].includes(before) || now === entered) return [];
    const message = `this was changed in the meantime, to ${quoted(now)}. You entered ${quoted(entered)}. Nothing was saved: save again to replace it with yours`;
    return [{ at, message }];
  });
  if (problems.length > 0) throw new OperationError(problems, 'CONFLICT');
  const unchanged = Object.entries(args).filter(([name, value]) => seen[name] === shownText(value));
  return { ...args, ...Object.fromEntries(unchanged.map(([name, value]) => [name, current[name] ?? value])) };
}

const quoted = (text: string): string => (text === '' ? 'nothing' : `“${text.replaceAll('\n', ', ')}”`);
