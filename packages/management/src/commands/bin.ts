import { id, optional, timestamp } from '@broadsheet/contract';
import type { BinEntry, BinKey, LeftEntry, OperatorStore } from '@broadsheet/store';
import { OperationError, type OperationProblem } from '../operations/operation-error.ts';
import { command, flagged, page, position } from './command.ts';
import { isIn } from './effects.ts';
import { idOf, itemArgs, KINDS, type Kind, named, requireItem, textsIn, titleOf } from './items.ts';
import { table } from './text-table.ts';

/** An item in the recycle bin, as commands show it. */
export interface Deleted extends Omit<BinEntry, 'deletedAt'> {
  readonly deletedAt: string;
}

/** The outcome of restoring everything that was deleted together. */
export interface RestoredTogether {
  readonly restored: readonly Deleted[];
  /** The items that stay in the recycle bin, and why. */
  readonly left: readonly (Deleted & Pick<LeftEntry, 'reason'>)[];
}

/** The items that stay in the recycle bin, as problems. */
export const problemsOfLeft = ({ left }: RestoredTogether): OperationProblem[] =>
  left.map((entry) => ({ at: `${entry.kind} ${entry.id} (${named(entry)})`, message: entry.reason }));

const shown = <Entry extends BinEntry>({ deletedAt, ...entry }: Entry) => ({
  ...entry,
  deletedAt: new Date(deletedAt).toISOString(),
});

/** The command that moves an item to the recycle bin. */
export const deleteRow = <K extends Kind>(kind: K) => {
  const { scopes, touches, what, also, kept, lost } = KINDS[kind];
  return command({
    effect: 'write',
    touches,
    help: `move ${what} to the recycle bin${kept}${lost && `; ${lost}`}`,
    scopes,
    args: itemArgs(kind, idOf(kind)),
    async run({ store, blog, now }, args): Promise<Deleted> {
      const { [kind]: item = '' } = textsIn(args);
      const title = titleOf(await requireItem(store, kind, blog, item));
      await remove(store, blog, { kind, id: item, deletedAt: now });
      return shown({ kind, id: item, deletedAt: now, title });
    },
    text: ({ id: item }, _, blog) =>
      `Deleted the ${kind} ${item} of ${blog}${also}${kept}. To undo within 30 days, run: broadsheet ${kind}s restore ${blog} ${item}${lost && `\nThis cannot be undone: ${lost}.`}`,
    log: (deleted) => `deleted the ${kind} ${named(deleted)}`,
  });
};

/** The command that restores a deleted item, or everything that was deleted with it. */
export const restoreRow = <K extends Kind>(kind: K) => {
  const { scopes, touches, what, sample } = KINDS[kind];
  return command({
    effect: 'write',
    touches,
    help: `restore ${what} deleted in the last 30 days`,
    scopes,
    transaction: 'long',
    examples: [`${kind}s restore news ${sample}`, `${kind}s restore news --deleted-at 2030-01-31T09:00:00.000Z`],
    args: {
      ...itemArgs(kind, position(optional(id), `id of the ${kind}`)),
      deletedAt: flagged(
        optional(timestamp),
        'date-time',
        `only items deleted at this time, as "bin list" shows it; without an id, every ${kind}`,
      ),
    },
    async run({ store, blog, now }, args): Promise<Deleted | RestoredTogether> {
      const { [kind]: item, deletedAt } = textsIn(args);
      if ((item ?? deletedAt) === undefined) throw new OperationError(`Pass the id of the ${kind}, or --deleted-at.`);
      const selection = { kind, id: item, ...(deletedAt !== undefined && { deletedAt: Date.parse(deletedAt) }) };
      const outcome = await store.restoreFromBin(blog, selection, now);
      const result = { restored: outcome.restored.map(shown), left: outcome.left.map(shown) };
      const [first] = result.restored;
      if (first) return item === undefined ? result : first;
      if (result.left.length > 0) throw new OperationError(problemsOfLeft(result), 'CONFLICT');
      const what = item === undefined ? `${kind} that was deleted at ${deletedAt}` : `${kind} ${JSON.stringify(item)}`;
      const message = `There is no ${what} in the recycle bin of ${blog}`;
      throw new OperationError(`${message}: deleted items stay there for 30 days.`, 'NOT_FOUND');
    },
    log: (result) =>
      'restored' in result
        ? `restored ${result.restored.length === 1 ? `1 ${kind}` : `${result.restored.length} ${kind}s`}`
        : `restored the ${kind} ${named(result)}`,
    note(result) {
      if (!('restored' in result) || result.left.length === 0) return undefined;
      const lines = problemsOfLeft(result).map(({ at, message }) => `${at}: ${message}`);
      return ['These items stay in the recycle bin:', ...lines].join('\n');
    },
  });
};

/** The commands for the recycle bin as a whole. */
export const bin = {
  'bin.list': command({
    effect: 'read',
    help: 'list the items deleted from a blog in the last 30 days, including pruned posts',
    scopes: ['import', 'ads'],
    examples: ['bin list news', 'bin list news --limit 1000 --offset 1000 --json'],
    args: page('items'),
    async run({ store, blog, now, actor }, { limit, offset }) {
      const kinds = (['post', 'ad', 'campaign'] as const).filter((kind) => isIn(actor, KINDS[kind].scopes));
      const { items, total } = await store.listBin(blog, now, { kinds, limit, offset });
      return { blog, items: items.map(shown), total };
    },
    note: ({ items: { length }, total }) =>
      length < total ? `${length} of ${total} items; --offset and --limit show the others` : undefined,
    hasTimes: true,
    text: ({ items, total }, _, blog, written) =>
      table(
        { DELETED: 'text', KIND: 'text', ID: 'id', TITLE: 'text' },
        items.map(({ deletedAt, kind, id: item, title }) => [written(deletedAt), kind, item, title]),
        total === 0 ? `The recycle bin of ${blog} is empty.` : 'No items match.',
      ),
  }),
};

function remove(store: OperatorStore, blog: string, { kind, id: item, deletedAt }: BinKey): Promise<boolean> {
  if (kind === 'post') return store.deletePost(blog, item, deletedAt);
  return kind === 'ad' ? store.deleteAd(blog, item, deletedAt) : store.deleteCampaign(blog, item, deletedAt);
}
