import type { SqlStore } from '@broadsheet/store';
import { type ArgsOf, COMMAND_LINE, type ResultOf } from '../src/commands/command.ts';
import { COMMANDS, type CommandName } from '../src/commands/commands.ts';
import { runCommand } from '../src/commands/run-command.ts';

export const NOW = Date.parse('2026-03-01T12:00:00.000Z');

/** Runs a command as the command line does, by default on 1 March 2026. */
export const run = <Name extends CommandName>(
  store: SqlStore,
  name: Name,
  blog: string,
  args: ArgsOf<(typeof COMMANDS)[Name]>,
  now = NOW,
) =>
  runCommand({ store, now, commands: COMMANDS }, { name, blog, args, actor: COMMAND_LINE }) as Promise<
    ResultOf<(typeof COMMANDS)[Name]>
  >;
