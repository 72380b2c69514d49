import { optional, type SnapshotAd, type SnapshotCampaign, text } from '@broadsheet/contract';
import { sha256Hex } from '@broadsheet/store';
import { requireBlog } from '../operations/blogs.ts';
import { named, requireItem } from '../operations/items.ts';
import { OperationError } from '../operations/operation-error.ts';
import type { CommandStore } from '../server-store.ts';
import { command, internal } from './command.ts';
import { type Draft, type Fields, TYPED } from './fields.ts';
import { idOf, itemArgs, KINDS, textsIn } from './items.ts';
import type { DraftBlog } from './read-draft.ts';

/** The fields as arguments; those that a new item needs are required. */
const argsOf = <F extends Fields>(fields: F, isNew: boolean) => {
  const args = Object.entries(fields).map(([name, field]) => {
    return [name, isNew && field.isRequired ? { ...field, rule: TYPED } : field];
  });
  // The cast is safe because there is one entry for each name.
  return Object.fromEntries(args) as { readonly [Name in keyof F]: F[Name] };
};

/** The version on which an edit is based: it changes with every field of the item. */
export const versionOf = (item: object): Promise<string> => sha256Hex(JSON.stringify(item));

/** An edited item, before and after. */
export interface Edit<T> {
  readonly before: T;
  readonly after: T;
}

/** How ads or campaigns are added and edited. */
interface DraftKind<T, Kind extends 'ad' | 'campaign', F extends Fields> {
  readonly kind: Kind;
  readonly fields: F;
  /** The flags in examples. */
  readonly examples: { readonly add: readonly string[]; readonly edit: readonly string[] };
  create(id: string, now: string): T;
  /** The item with the changed fields. @throws OperationError */
  read(before: T, draft: Draft<F>, of: DraftBlog): T;
  /** Writes the item, unless it differs from `before` by now. */
  put(store: CommandStore, blog: string, item: T, before?: T): Promise<boolean>;
}

/** The commands that add and edit an item. */
export function draftRows<
  T extends SnapshotAd | SnapshotCampaign,
  const Kind extends 'ad' | 'campaign',
  F extends Fields,
>({ kind, fields, examples, create, read, put }: DraftKind<T, Kind, F>) {
  const { scopes, sample } = KINDS[kind];
  const one = kind === 'ad' ? 'an ad' : 'a campaign';
  const add = command({
    help: `add ${one} and print its id`,
    examples: examples.add.map((flags) => `${kind}s add news ${flags}`),
    scopes,
    args: argsOf(fields, true),
    async run({ store, blog, now }, args): Promise<T> {
      const { timeZone, domains } = await requireBlog(store, blog);
      const added = read(create(crypto.randomUUID(), new Date(now).toISOString()), textsIn(args) as Draft<F>, {
        now,
        timeZone,
        domains,
      });
      await put(store, blog, added);
      return added;
    },
    text: ({ id }) => `Added ${id}.`,
    log: (added) => `created the ${kind} ${named(added)}`,
  });
  const edit = command({
    help: `update the given fields of ${one}; an empty value removes a field`,
    examples: examples.edit.map((flags) => `${kind}s edit news ${sample} ${flags}`),
    scopes,
    args: {
      ...itemArgs(kind, idOf(kind)),
      ...argsOf(fields, false),
      // The version that the editor has seen, which other changes must not replace; any version by default.
      version: internal(optional(text({ max: 64 }))),
    },
    async run({ store, blog, now }, args): Promise<Edit<T>> {
      const { [kind]: id = '', version } = textsIn(args);
      const { timeZone, domains } = await requireBlog(store, blog);
      for (;;) {
        const before = (await requireItem(store, kind, blog, id)) as T;
        if (version !== undefined && version !== (await versionOf(before))) {
          const message = `Somebody else has changed this ${kind} in the meantime, so it was not saved.`;
          throw new OperationError(`${message} Save again to replace their version.`, 'CONFLICT');
        }
        const after = read(before, textsIn(args) as Draft<F>, { now, timeZone, domains });
        // After a concurrent write, the changes are applied again, to its result.
        if (await put(store, blog, after, before)) return { before, after };
      }
    },
    hasTimes: true,
    text(edited, _, __, written) {
      const changes = changesIn(edited, written);
      return changes === '' ? `${edited.after.id} already has these values.` : `Changed ${edited.after.id}:${changes}`;
    },
    json: ({ after }) => after,
    log(edited) {
      const labels = changedIn(edited).map((name) => (fields[name]?.label ?? name).toLowerCase());
      return labels.length === 0 ? undefined : `changed the ${kind} ${named(edited.after)}: ${labels.join(', ')}`;
    },
  });
  return { add, edit };
}

/** The names of the changed fields. */
const changedIn = <T extends object>({ before, after }: Edit<T>) =>
  (Object.keys({ ...before, ...after }) as (keyof T & string)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );

/** The changed fields, one per line; empty if there are none. */
function changesIn<T extends object>(edited: Edit<T>, written: (at: string) => string): string {
  const { before, after } = edited;
  const textOf = (item: T, name: keyof T & string) => {
    const value = item[name];
    return JSON.stringify(typeof value === 'string' && name.endsWith('At') ? written(value) : value);
  };
  return changedIn(edited)
    .map((name) => `\n  ${name}: ${textOf(before, name)} -> ${textOf(after, name)}`)
    .join('');
}
