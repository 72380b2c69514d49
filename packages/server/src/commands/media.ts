import { moveMedia as move, pruneMedia as prune } from '@broadsheet/management';
import { type CommandFlags, withStore } from '../database/database.ts';
import { printResult } from '../program/output.ts';

type MediaFlags = CommandFlags & { readonly blog?: string };

/** `broadsheet media move OLD NEW` */
export async function moveMedia(from: string, to: string, flags: MediaFlags): Promise<void> {
  const moved = await withStore(flags, {}, (store) => move(store, { from, to, blog: flags.blog }));
  const lines = moved.map(({ blog, changed }) => `${blog}: changed ${changed} posts and ads`);
  printResult(flags, moved, lines.join('\n') || 'There is no blog yet.');
}

/** `broadsheet media prune` */
export async function pruneMedia(flags: MediaFlags): Promise<void> {
  const pruned = await withStore(flags, {}, (store) => prune(store, flags.blog));
  const lines = pruned.map(({ blog, removed }) => `${blog}: removed ${removed} images`);
  printResult(flags, pruned, lines.join('\n') || 'There is no blog yet.');
}
