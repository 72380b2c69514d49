import type { Rule } from '@broadsheet/contract';
import type { Command } from './command.ts';

/**
 * Reads arguments that were typed, as flags or in the fields of a form. What does not fit its rule stays a text, which
 * the command then reports.
 *
 * @param typedFor the texts that were typed for an argument
 */
export function readTyped(
  { args }: Command,
  typedFor: (name: string) => readonly string[],
): Readonly<Record<string, unknown>> {
  const values = Object.entries(args).flatMap(([name, { rule }]) => {
    const typed = typedFor(name);
    const value = typed.length > 0 ? readValue(rule, typed) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

function readValue(rule: Rule, typed: readonly string[]): unknown {
  const [first = ''] = typed;
  switch (rule.kind) {
    case 'fallback':
    case 'optional':
      return first === '' && rule.inner.kind !== 'nullable' ? undefined : readValue(rule.inner, typed);
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
