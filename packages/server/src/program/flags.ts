import type { Command } from 'commander';

export const DATABASE = [
  '--database <url>',
  'sqlite:PATH, postgres://…, or https://… of a deployment (default: DATABASE_URL, else sqlite:./broadsheet.db)',
] as const;

/** What the arguments that many commands have are, by their names. */
export const ARGUMENTS: Readonly<Record<string, string>> = {
  blog: 'id of the blog',
  post: 'id of the post, as "posts list" shows it',
  ad: 'id of the ad, as "ads list" shows it',
};

/** Adds to a command on a database what all of them have: descriptions of common arguments, two flags, and examples. */
export function onDatabase(command: Command, ...lines: string[]): Command {
  for (const argument of command.registeredArguments) argument.description ||= ARGUMENTS[argument.name()] ?? '';
  return command
    .option(...DATABASE)
    .option('--json', 'print JSON')
    .addHelpText('after', examples(...lines));
}

/** The end of a help text: command lines that can be typed as they are. */
export const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
