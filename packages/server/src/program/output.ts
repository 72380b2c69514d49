import { once } from 'node:events';
import type { SingleBar } from 'cli-progress';

/** Prints the result of a command, to standard output. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** The same for a script. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}

/** Prints a result as JSON for a script, else as text. */
export function printResult({ json }: { readonly json?: boolean }, value: unknown, text: string): void {
  if (json) printJson(value);
  else print(text);
}

/** Prints part of a large result, and waits while the reader is slower. */
export async function printPart(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** The same for what nobody must lose: resolves once the system has all of it. A failure ends the process (`main.ts`). */
export function printWhole(value: unknown): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`, (error) => {
      if (!error) resolve();
    });
  });
}

/** Says something beside it, to standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Below this nobody waits long enough to see a bar. */
const WORTH_SHOWING = 200;

/** A progress bar on a terminal, nothing elsewhere. It appears with the first update of a work that is long. */
export function createProgress(what: string, unit: string) {
  let bar: SingleBar | undefined;
  let requested = false;
  let stopped = false;
  async function show(done: number, total: number): Promise<void> {
    const { SingleBar } = await import('cli-progress');
    if (stopped) return;
    bar = new SingleBar({
      format: `${what} {bar} {value}/{total} ${unit}`,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      clearOnComplete: true,
      hideCursor: true,
      stream: process.stderr,
    });
    bar.start(total, done);
  }
  return {
    update(done: number, total: number): void {
      if (!process.stderr.isTTY || total < WORTH_SHOWING) return;
      if (!requested) void show(done, total);
      requested = true;
      bar?.update(done);
    },
    stop(): void {
      stopped = true;
      bar?.stop();
    },
  };
}
