import type { Command } from 'commander';
import { examples, JSON_FLAG } from './examples.ts';

/** Adds the commands that say who may use the panel in the browser. */
export function addPanelCommands(program: Command, database: readonly [string, string]): void {
  const panel = program.command('panel').description('say who may use the panel in the browser').helpCommand(false);
  panel
    .command('invite')
    .description('print a link that signs somebody in, once, within an hour')
    .argument('<name>', 'what they are called')
    .option('--blog <id>', 'the one blog they see (default: all)')
    .option('--role <role>', 'manage, or view to look only', 'manage')
    .option(
      '--url <url>',
      'address of the server (default: PUBLIC_URL)',
      process.env['PUBLIC_URL'] ?? 'http://127.0.0.1:4500',
    )
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'broadsheet panel invite Ada',
        'broadsheet panel invite Ben --blog news --role view --url https://blog.example',
      ),
    )
    .action(async (name, flags) => (await import('../commands/panel.ts')).invite(name, flags));
  panel
    .command('people')
    .description('list who may use the panel')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet panel people'))
    .action(async (flags) => (await import('../commands/panel.ts')).people(flags));
  panel
    .command('revoke')
    .description('sign somebody out everywhere, for good')
    .argument('<name>', 'what they are called')
    .option(...database)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('broadsheet panel revoke Ben'))
    .action(async (name, flags) => (await import('../commands/panel.ts')).revokePerson(name, flags));
}
