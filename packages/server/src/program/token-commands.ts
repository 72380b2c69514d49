import type { Command } from 'commander';
import { onDatabase } from './flags.ts';

/** Adds the commands that manage the tokens of remote management. */
export function addTokenCommands(program: Command): void {
  const tokens = program
    .command('tokens')
    .description('create, list and revoke tokens for management over HTTP')
    .helpCommand(false);
  onDatabase(
    tokens
      .command('create')
      .description('create a token and print it (only once); with it, --database https://… works from other machines')
      .argument('<name>', 'name of the token')
      .requiredOption('--scope <scope>', 'import (posts), ads (also campaigns and figures), stats, or all')
      .option('--blog <id>', 'the only blog for which it is valid (default: all)')
      .option('--expires <time>', 'days or hours until it expires, such as 90d or 12h (default: never)'),
    'broadsheet tokens create ci --scope import --blog news --expires 90d',
  ).action(async (name, flags) => (await import('../commands/tokens.ts')).createToken(name, flags));
  onDatabase(
    tokens.command('list').description('list the tokens and when each was last used; only their hashes are stored'),
  ).action(async (flags) => (await import('../commands/tokens.ts')).listTokens(flags));
  onDatabase(
    tokens
      .command('revoke')
      .description('revoke a token; every server refuses it at once')
      .argument('<name>', 'name of the token'),
  ).action(async (name, flags) => (await import('../commands/tokens.ts')).revokeToken(name, flags));
}
