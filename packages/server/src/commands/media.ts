import { moveMedia as move } from '@broadsheet/management';
import { type CommandFlags, withStore } from '../database/database.ts';
import { printResult } from '../program/output.ts';

export async function moveMedia(
  from: string,
  to: string,
  flags: CommandFlags & { readonly blog?: string },
): Promise<void> {
  const moved = await withStore(flags, {}, (store) => move(store, { from, to, blog: flags.blog }));
  const lines = moved.map(({ blog, changed }) => `${blog}: changed ${changed} posts and ads`);
  printResult(flags, moved, lines.join('\n') || 'There is no blog yet.');
}
