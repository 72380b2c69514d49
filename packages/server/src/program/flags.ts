import type { Command } from 'commander';

export const DATABASE = [
  '--database <url>',
  'sqlite:PATH, postgres://…, or https://… of a server (default: DATABASE_URL, else sqlite:./broadsheet.db)',
] as const;

/** The help text of the argument that names a blog. */
export const BLOG = 'id of the blog';

/** Adds what all commands on a database have: two flags, and examples. */
export function onDatabase(command: Command, ...lines: string[]): Command {
  return command
    .option(...DATABASE)
    .option('--json', 'print JSON')
    .addHelpText('after', examples(...lines));
}

/** The end of a help text: command lines that can be copied. */
export const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
