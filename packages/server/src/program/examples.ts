/** The flag of every command that prints what it did. */
export const JSON_FLAG = ['--json', 'print JSON'] as const;

/** The end of a help text: command lines that can be typed as they are, then a note that begins with a line feed. */
export function examples(...lines: string[]): string {
  const [notes] = lines.filter((line) => line.startsWith('\n'));
  const commands = lines.filter((line) => !line.startsWith('\n')).map((line) => `  $ ${line}`);
  return `\nExamples:\n${commands.join('\n')}${notes ? `\n${notes}` : ''}`;
}
