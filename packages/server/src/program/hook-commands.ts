import { WEBHOOK_TYPES } from '@broadsheet/contract';
import type { Command } from 'commander';
import { onDatabase } from './flags.ts';

/** Adds the commands that manage the webhooks of a blog. */
export function addHookCommands(program: Command): void {
  const hooks = program.command('hooks').description('list, add, test, rotate and delete webhooks').helpCommand(false);
  onDatabase(hooks.command('list <blog>').description('list the webhooks of a blog with their latest messages')).action(
    async (blog, flags) => (await import('../commands/hooks.ts')).listHooks(blog, flags),
  );
  onDatabase(
    hooks
      .command('add <blog>')
      .description('report changes of a blog to a URL, and print the secret of the webhook (only once)')
      .argument('<url>', 'where the requests are sent')
      .option('--events <type...>', `only these events of ${WEBHOOK_TYPES.join(', ')} (default: all)`),
    'broadsheet hooks add news https://site.example/api/changed',
    'broadsheet hooks add news https://site.example/api/changed --events post.published post.removed',
  ).action(async (blog, url, flags) => (await import('../commands/hooks.ts')).addHook(blog, url, flags));
  onDatabase(
    hooks.command('test <blog> <hook>').description('send an event that changes nothing, and show the response'),
  ).action(async (blog, hook, flags) => (await import('../commands/hooks.ts')).testHook(blog, hook, flags));
  onDatabase(
    hooks
      .command('rotate <blog> <hook>')
      .description('print a new secret (only once); for a day, requests are also signed with the old one'),
  ).action(async (blog, hook, flags) => (await import('../commands/hooks.ts')).rotateHook(blog, hook, flags));
  onDatabase(hooks.command('delete <blog> <hook>').description('delete a webhook with its messages')).action(
    async (blog, hook, flags) => (await import('../commands/hooks.ts')).deleteHook(blog, hook, flags),
  );
}
