import type { Command } from 'commander';
import { ARGUMENTS, onDatabase } from './flags.ts';

/** Adds the commands that manage stored images. */
export function addMediaCommands(program: Command): void {
  const media = program.command('media').description('move stored images').helpCommand(false);
  onDatabase(
    media
      .command('move')
      .description('update the URLs of stored images in posts and ads after the URL of the server has changed')
      .argument('<old>', 'the old URL of the server')
      .argument('<new>', 'the new URL of the server')
      .option('--blog <id>', `${ARGUMENTS['blog']} (default: all blogs)`),
    'broadsheet media move http://127.0.0.1:4500 https://blog.example',
  ).action(async (from, to, flags) => (await import('../commands/media.ts')).moveMedia(from, to, flags));
}
