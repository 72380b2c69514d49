import {
  deleteAd,
  deleteCampaign,
  deletePost,
  exportAd,
  exportCampaign,
  exportPost,
  restore,
} from '@broadsheet/management';
import type { BinKey } from '@broadsheet/store';
import { type CommandFlags, withStore } from '../database/database.ts';
import { note, printResult, printWhole } from '../program/output.ts';

const ITEMS = {
  ad: { read: exportAd, remove: deleteAd, also: '', kept: '; its figures stay' },
  campaign: { read: exportCampaign, remove: deleteCampaign, also: ' and its ads', kept: '; their figures stay' },
  post: { read: exportPost, remove: deletePost, also: '', kept: '' },
} as const;

/** Nothing is deleted until the whole snapshot has been printed. */
export async function deleteItem(kind: BinKey['kind'], blog: string, id: string, flags: CommandFlags): Promise<void> {
  const { read, remove, also, kept } = ITEMS[kind];
  await withStore(flags, {}, async (store) => {
    await printWhole(await read(store, blog, id));
    await remove(store, blog, id, Date.now());
  });
  const undo = `To undo within 30 days, run: broadsheet ${kind}s restore ${blog} ${id}`;
  note(`Deleted the ${kind} ${id} of ${blog}${also}${kept}. ${undo}`);
}

export async function restoreItem(kind: BinKey['kind'], blog: string, id: string, flags: CommandFlags): Promise<void> {
  const entry = await withStore(flags, {}, (store) => restore(store, blog, { kind, id }, Date.now()));
  printResult(flags, entry, `Restored the ${kind} ${id} of ${blog}${ITEMS[kind].also}.`);
}
