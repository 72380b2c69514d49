import type { Rule } from '@broadsheet/contract';
import type { Command } from './command.ts';

/**
 * Reads arguments that were typed, as flags or in the fields of a form. A value that does not fit its rule stays a
 * text, and the command then reports it.
 *
 * @param typedFor the texts that were typed for an argument
 * @param isForm whether an empty text means an absent argument, as in a form; as a flag, it is a mistake unless it
 * removes a field
 */
export function readTyped(
  { args }: Command,
  typedFor: (name: string) => readonly string[],
  isForm = false,
): Readonly<Record<string, unknown>> {
  const values = Object.entries(args).flatMap(([name, { rule }]) => {
    const typed = typedFor(name);
    const isAbsent = typed.length === 0 || (isForm && typed[0] === '' && isOptional(rule));
    return isAbsent ? [] : [[name, readValue(rule, typed)] as const];
  });
  return Object.fromEntries(values);
}

/** Whether an argument may be absent, and an empty text is not a value for it. */
const isOptional = (rule: Rule): boolean =>
  rule.kind === 'fallback' || (rule.kind === 'optional' && rule.inner.kind !== 'nullable');

function readValue(rule: Rule, typed: readonly string[]): unknown {
  const [first = ''] = typed;
  switch (rule.kind) {
    case 'fallback':
    case 'optional':
      return readValue(rule.inner, typed);
    case 'nullable':
      return first === '' ? null : readValue(rule.inner, typed);
    case 'list': {
      const items = rule.item.kind === 'choice' ? typed.flatMap((text) => text.split(',')) : typed;
      return items.map((text) => readValue(rule.item, [text]));
    }
    case 'flag':
      return first === 'true' || first === 'yes' ? true : first;
    case 'integer':
      return /^-?\d{1,15}$/.test(first) ? Number(first) : first;
    case 'choice':
      return rule.values.find((value) => value.toLowerCase() === first.toLowerCase()) ?? first;
    default:
      return first;
  }
}
