import type { Command } from 'commander';

export const DATABASE = [
  '--database <url>',
  'sqlite:PATH, postgres://…, or https://… of a deployment (default: DATABASE_URL, else sqlite:./broadsheet.db)',
] as const;

export const BLOG = ['<blog>', 'id of the blog'] as const;
export const POST = ['<post>', 'id of the post, as "posts list" shows it'] as const;
export const AD = ['<ad>', 'id of the ad, as "ads list" shows it'] as const;

/** Gives a command on a database the flags that all of them have, and its examples. */
export const onDatabase = (command: Command, ...lines: string[]): Command =>
  command
    .option(...DATABASE)
    .option('--json', 'print JSON')
    .addHelpText('after', examples(...lines));

/** The end of a help text: command lines that can be typed as they are. */
export const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
