import { type Command, Option } from 'commander';
import type { CommandFlags } from '../database/database.ts';

export const DATABASE = [
  '--database <url>',
  'sqlite:PATH, postgres://…, or https://… of a server (default: DATABASE_URL, else sqlite:./broadsheet.db)',
] as const;

/** Where people reach the server, for commands that print links. */
export const URL_FLAG = [
  '--url <url>',
  'URL of the server (default: PUBLIC_URL)',
  process.env['PUBLIC_URL'] ?? 'http://127.0.0.1:4500',
] as const;

/** Descriptions of common arguments, by name. */
export const ARGUMENTS: Readonly<Record<string, string>> = {
  blog: 'id of the blog',
  post: 'id of the post, as "posts list" shows it',
  ad: 'id of the ad, as "ads list" shows it',
  hook: 'id of the webhook, as "hooks list" shows it',
  campaign: 'id of the campaign, as "campaigns list" shows it',
};

/** Values of common arguments in examples, by name. */
const SAMPLES: Readonly<Record<string, string>> = {
  blog: 'news',
  post: 'hello-world-1a2b3c4d',
  ad: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  hook: '62af8704764f',
  campaign: '8c2f5a40-7d1e-4b6c-9a53-1f2e3d4c5b6a',
  name: 'ada',
};

/** A command line with samples of the required arguments. */
export function exampleOf(command: Command): string {
  const path = (of: Command | null): string[] => (of ? [...path(of.parent), of.name()] : []);
  const required = command.registeredArguments.filter((argument) => argument.required);
  return [...path(command), ...required.map((argument) => SAMPLES[argument.name()])].join(' ');
}

/**
 * Adds what all commands on a database have: descriptions of common arguments, two flags, and examples, by default one
 * with the required arguments.
 */
export function onDatabase(command: Command, ...lines: string[]): Command {
  for (const argument of command.registeredArguments) argument.description ||= ARGUMENTS[argument.name()] ?? '';
  return command
    .option(...DATABASE)
    .option('--json', 'print JSON')
    .addHelpText('after', examples(...(lines.length > 0 ? lines : [exampleOf(command)])));
}

/** The end of a help text: command lines that can be copied. */
export const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;

/** A field that a flag sets. */
interface Field {
  readonly name: string;
  readonly flag: string;
  readonly value: string;
  readonly help: string;
}

/** The values of the flags as they were typed, by the names that Commander gives them. */
export type FieldFlags = CommandFlags & Readonly<Record<string, unknown>>;

/** Adds the flags of fields to a command. */
export function withFields(command: Command, fields: readonly Field[], required: readonly string[] = []): Command {
  for (const { name, flag, value, help } of fields) {
    command.addOption(new Option(`--${flag} <${value}>`, help).makeOptionMandatory(required.includes(name)));
  }
  return command;
}

/** The fields whose flags were given. */
export function draftOf(fields: readonly Field[], flags: FieldFlags): Readonly<Record<string, string>> {
  const attribute = (flag: string) => flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const given = fields.map(({ name, flag }) => [name, flags[attribute(flag)]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** The changes of an edit, one field per line. */
export function changesOf<T extends object>(id: string, before: T, after: T): string {
  const names = (Object.keys({ ...before, ...after }) as (keyof T & string)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const lines = names.map((name) => `  ${name}: ${JSON.stringify(before[name])} -> ${JSON.stringify(after[name])}`);
  return lines.length === 0 ? `${id} already has these values.` : `Changed ${id}:\n${lines.join('\n')}`;
}
