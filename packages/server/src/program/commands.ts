import { timestampIn } from '@broadsheet/core';
import {
  type Argument,
  type Command as CommandRow,
  type CommandTable,
  isReading,
  OperationError,
  readTyped,
  type Written,
} from '@broadsheet/management';
import { type Command, Option } from 'commander';
import type { CommandFlags } from '../database/database.ts';
import type { ClientStep } from './client-steps.ts';
import { note, printable, printResult, setEffect } from './output.ts';

export const DATABASE = [
  '--database <url>',
  'sqlite:PATH, postgres://…, or https://… of a server (default: DATABASE_URL, else sqlite:./broadsheet.db)',
] as const;

/** The help text of the argument that names a blog. */
export const BLOG = 'id of the blog';

/** Adds the common parts of all commands on a database: two flags, and examples. */
export function onDatabase(command: Command, ...lines: string[]): Command {
  return command
    .option(...DATABASE)
    .option('--json', 'print JSON')
    .addHelpText('after', examples(...lines));
}

/** The end of a help text, with command lines to copy. */
export const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;

/**
 * Adds every command of a table that has a help text: `GROUP.COMMAND` becomes `broadsheet GROUP COMMAND`.
 *
 * @param groups the help texts of the groups
 */
export function addCommands(program: Command, commands: CommandTable, groups: Readonly<Record<string, string>>): void {
  for (const [name, row] of Object.entries(commands)) {
    if (row.help === undefined) continue;
    const [group = '', own = group] = name.split('.');
    const parent = group === own ? program : groupNamed(program, group, groups[group] ?? '');
    addCommand(parent.command(own).description(row.help), name, commands);
  }
}

function groupNamed(program: Command, name: string, help: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  return found ?? program.command(name).description(help).helpCommand(false);
}

/** The rule of an argument that may be left out, and of one that takes several values. */
const isOptional = ({ rule }: Argument): boolean => rule.kind === 'optional' || rule.kind === 'fallback';
const isList = ({ rule }: Pick<Argument, 'rule'>): boolean =>
  'inner' in rule ? isList({ rule: rule.inner }) : rule.kind === 'list';

function addCommand(command: Command, name: string, commands: CommandTable): void {
  const row = commands[name] as CommandRow;
  const all = Object.entries(row.args);
  const positions = all.filter(([, { by }]) => by === 'position');
  if (row.on === 'each blog') command.option('--blog <id>', `${BLOG} (default: all blogs)`);
  else if (row.on !== 'server') command.argument(row.on === 'new blog' ? '<id>' : '<blog>', BLOG);
  for (const [typed, argument] of positions) {
    const place = (argument.name ?? typed) + (isList(argument) ? '...' : '');
    command.argument(isOptional(argument) ? `[${place}]` : `<${place}>`, argument.help);
  }
  for (const [typed, argument] of all.filter(([, { by }]) => by === 'flag'))
    command.addOption(optionOf(typed, argument));
  onDatabase(command, ...(row.examples ?? [exampleOf(name, row)]).map((example) => `broadsheet ${example}`));
  command.action((...given: unknown[]) => {
    const flags = command.opts<CommandFlags & Record<string, unknown>>();
    const [blog, ...rest] = isOnOneBlog(row) ? given : [row.on === 'each blog' ? flags['blog'] : '', ...given];
    const typed = readTyped(row, (typedName) => {
      const place = positions.findIndex(([positioned]) => positioned === typedName);
      if (place !== -1) return textsOf(rest[place]);
      const argument = row.args[typedName];
      return argument?.by === 'flag' ? textsOf(flags[optionOf(typedName, argument).attributeName()]) : [];
    });
    return runTyped({ name, commands, blog: blog as string | undefined, typed, flags });
  });
}

/** Whether the first argument of a command is a blog. */
const isOnOneBlog = ({ on }: CommandRow): boolean => on !== 'server' && on !== 'each blog';

/** A command with samples of the required arguments. */
function exampleOf(name: string, row: CommandRow): string {
  const required = Object.entries(row.args).filter(
    ([, argument]) => argument.by === 'position' && !isOptional(argument),
  );
  const samples = required.map(([typed, { sample = typed }]) => sample);
  return [...new Set(name.split('.')), ...(isOnOneBlog(row) ? ['news'] : []), ...samples].join(' ');
}

function optionOf(name: string, argument: Argument): Option {
  const { rule, value, help } = argument;
  const placeholder = value && ` <${value}${isList(argument) ? '...' : ''}>`;
  const option = new Option(`--${flagOf(name, argument)}${placeholder}`, help);
  if (rule.kind === 'fallback') option.default(String(rule.value));
  return option.makeOptionMandatory(!isOptional(argument));
}

const flagOf = (typed: string, { name }: Argument): string =>
  name ?? typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const textsOf = (given: unknown): readonly string[] => (given === undefined ? [] : [given].flat().map(String));

interface TypedCommand {
  readonly name: string;
  readonly commands: CommandTable;
  /** The id of the blog; empty for a command on the server, `undefined` for one on every blog. */
  readonly blog: string | undefined;
  readonly typed: Readonly<Record<string, unknown>>;
  readonly flags: CommandFlags;
}

/** The result of a command, and the format of timestamps in its text. */
interface Result {
  readonly on: string;
  readonly result: unknown;
  readonly args: TypedCommand['typed'];
  readonly written: Written;
}

async function runTyped({ name, commands, blog, typed, flags }: TypedCommand): Promise<void> {
  const row = commands[name] as CommandRow;
  const [{ withRunner }, { CLIENT_STEPS }] = await Promise.all([
    import('../database/database.ts'),
    import('./client-steps.ts'),
  ]);
  const isEach = row.on === 'each blog';
  setEffect(isReading(row, typed) ? 'read' : 'write');
  const results: Result[] = [];
  await withRunner(flags, { commands, create: row.on === 'new blog' }, async (run) => {
    for (const on of blog === undefined ? (await run('blogs.list', '', {})).map(({ id }) => id) : [blog]) {
      let args = typed;
      const send = (sent: typeof typed) => {
        args = sent;
        // The names and types of the arguments match the row.
        return run(name as never, on, sent as never);
      };
      const steps: Partial<Record<string, ClientStep>> = CLIENT_STEPS;
      const step = steps[name] ?? ((_, input) => send(input));
      const result = await step({ run, blog: on, flags }, typed, send);
      const { timeZone } = row.hasTimes && !flags.json ? await run('blogs.show', on, {}) : {};
      const written: Written = (at) => at && timestampIn(Date.parse(at), timeZone);
      results.push({ on, result, args, written });
    }
  }).catch((error: unknown) => {
    throw error instanceof OperationError ? asTyped(error, row) : error;
  });
  const shown = results.map(({ result }) => (row.json ? row.json(result) : result));
  const json = isEach ? shown : shown[0];
  const texts = results.map(({ on, result, args, written }) => {
    const printed = row.text?.(result, args as never, on, written);
    return printed === undefined ? asSentence(row.log?.(result, args as never) ?? '') : printable(printed);
  });
  printResult(flags, json, texts.length === 0 ? 'There are no blogs yet.' : texts.join('\n'));
  for (const { on, result, args } of results) {
    const more = row.note?.(result, args as never, on);
    if (more !== undefined) note(more);
  }
}

/** The entry of the log, which has no subject, as a sentence: `Paused the ad “Tea”.` */
const asSentence = (entry: string): string => `${entry.charAt(0).toUpperCase()}${entry.slice(1)}.`;

/** Names the problems after flags and positions, as they were typed, and not after the arguments. */
function asTyped(error: OperationError, { args }: CommandRow): OperationError {
  const problems = error.problems.map(({ at = '', ...problem }) => {
    // The problem of an item of a list is at a path such as `domains.0`.
    const [name = ''] = at.split('.');
    const argument = Object.hasOwn(args, name) ? args[name] : undefined;
    if (!argument) return { ...problem, ...(at !== '' && { at }) };
    return { ...problem, at: argument.by === 'flag' ? `--${flagOf(name, argument)}` : (argument.name ?? name) };
  });
  return new OperationError(problems, error.code);
}
