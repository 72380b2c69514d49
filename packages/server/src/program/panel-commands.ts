import type { Command } from 'commander';
import { onDatabase, URL_FLAG } from './flags.ts';

/** Adds the commands that manage access to the panel in the browser. */
export function addPanelCommands(program: Command): void {
  const panel = program.command('panel').description('manage access to the panel in the browser').helpCommand(false);
  onDatabase(
    panel
      .command('invite')
      .description('print a link that signs a person in once, within an hour')
      .argument('<name>', 'name of the person')
      .option('--blog <id>', 'the only blog that they can see (default: all)')
      .option('--role <role>', 'manage, or view for read-only access', 'manage')
      .option(...URL_FLAG),
    'broadsheet panel invite Ada',
    'broadsheet panel invite Ben --blog news --role view --url https://blog.example',
  ).action(async (name, flags) => (await import('../commands/panel.ts')).invite(name, flags));
  onDatabase(panel.command('people').description('list who may use the panel')).action(async (flags) =>
    (await import('../commands/panel.ts')).people(flags),
  );
  onDatabase(
    panel
      .command('revoke')
      .description('sign a person out everywhere and end their access')
      .argument('<name>', 'name of the person'),
  ).action(async (name, flags) => (await import('../commands/panel.ts')).revokePerson(name, flags));
}
