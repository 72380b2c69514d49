import type { CommandName } from '../commands.ts';

const NUMBERS = ['times', 'status'];

/** A form of the page as a command with its input: fields that are empty are left out, and figures become numbers. */
export function formInput(form: URLSearchParams): { readonly command: string; readonly input: object } {
  const { command = '', ...fields } = Object.fromEntries(form);
  const filled = Object.entries(fields).filter(([, value]) => value.trim() !== '');
  const input: Record<string, string | number> = Object.fromEntries(
    filled.map(([name, value]) => [name, NUMBERS.includes(name) ? Number(value) : value]),
  );
  if (command !== 'fault') return { command, input };
  // One list offers both: what fails with a status, and what breaks on its way.
  const { answer = '', ...rest } = input;
  const status = Number(answer);
  return Number.isNaN(status)
    ? { command: 'disrupt' satisfies CommandName, input: { ...rest, disruption: answer } }
    : { command: 'fail' satisfies CommandName, input: { ...rest, status } };
}
