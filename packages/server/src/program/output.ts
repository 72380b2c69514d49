import { once } from 'node:events';
import { asText, type Command, type Printed, safeForTerminal } from '@broadsheet/management';

// Names, files and responses of webhooks come from other people, so they must not control the terminal.

/** Prints the result of a command to standard output. */
export function print(text: string): void {
  process.stdout.write(safeForTerminal(text.endsWith('\n') ? text : `${text}\n`));
}

/** What a command prints, as text for standard output: programs that read it need whole texts. */
export const printable = (printed: Printed): string => asText(printed, process.stdout.isTTY);

/** Prints a result as JSON. */
export function printJson(value: unknown): void {
  process.stdout.write(safeJson(`${JSON.stringify(value, undefined, 2)}\n`));
}

/** JSON for a terminal has more escapes, but the same value. */
const safeJson = (json: string): string => (process.stdout.isTTY ? safeForTerminal(json) : json);

/** Prints a result as JSON if `--json` is set, otherwise as text. */
export function printResult({ json }: { readonly json?: boolean }, value: unknown, text: string): void {
  if (json) printJson(value);
  else print(text);
}

/** Prints part of a large JSON result, and waits for a slow reader. */
export async function printPart(text: string): Promise<void> {
  if (!process.stdout.write(safeJson(text))) await once(process.stdout, 'drain');
}

let effect: Command['effect'] = 'read';

/** Records what the command that runs may do; until then, only help is printed. */
export function setEffect(next: Command['effect']): void {
  effect = next;
}

/** Whether the command that runs changes nothing, so that its output is all that it does. */
export const isShowing = (): boolean => effect === 'read';

/** Prints a note to standard error. */
export function note(text: string): void {
  process.stderr.write(`${safeForTerminal(text)}\n`);
}

/** The smallest total for which a progress bar is shown. */
const WORTH_SHOWING = 200;

/** A progress bar for long work. It appears on a terminal at the first update; without a terminal, it does nothing. */
export async function createProgress(what: string, unit: string) {
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: `${what} {bar} {value}/{total} ${unit}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    stream: process.stderr,
  });
  return {
    update(done: number, total: number): void {
      if (bar.isActive) bar.update(done);
      else if (total >= WORTH_SHOWING) bar.start(total, done);
    },
    stop: (): void => bar.stop(),
  };
}
