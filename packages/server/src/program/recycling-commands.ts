import type { BinKey } from '@broadsheet/store';
import type { Command } from 'commander';
import { exampleOf, onDatabase } from './flags.ts';

const DELETED = {
  ad: { what: 'an ad', kept: '; its figures stay' },
  campaign: { what: 'a campaign and its ads', kept: '; their figures stay' },
  post: { what: 'a post', kept: '' },
} as const;

/** Adds the commands that move an item to the recycle bin and back. */
export function addRecyclingCommands(group: Command, kind: BinKey['kind']): void {
  const { what, kept } = DELETED[kind];
  const them = kind === 'campaign' ? 'them' : 'it';
  const remove = group
    .command(`delete <blog> <${kind}>`)
    .description(`print ${what} as a snapshot that import accepts, then move ${them} to the recycle bin${kept}`);
  onDatabase(remove, `${exampleOf(remove)} > deleted.json`).action(async (blog, id, flags) =>
    (await import('../commands/recycling.ts')).deleteItem(kind, blog, id, flags),
  );
  onDatabase(
    group
      .command('restore <blog>')
      .description(`restore ${what} deleted in the last 30 days`)
      .argument(`<${kind}>`, `id of the ${kind}`),
  ).action(async (blog, id, flags) => (await import('../commands/recycling.ts')).restoreItem(kind, blog, id, flags));
}
