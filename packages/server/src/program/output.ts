/** Prints the result of a command, to standard output. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** The same for a script. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}

/** Says something beside it, to standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
