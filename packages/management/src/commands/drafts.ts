import { list, optional, type Rule, type SnapshotAd, type SnapshotCampaign, text } from '@broadsheet/contract';
import { requireBlog } from '../operations/blogs.ts';
import { type CommandContext, command, internal, type Touch, type Written } from './command.ts';
import { type Draft, type Field, type Fields, TYPED } from './fields.ts';
import { idOf, itemArgs, KINDS, named, requireItem, textsIn } from './items.ts';
import type { DraftBlog } from './read-draft.ts';
import { type Shown, shownText } from './seen.ts';

/** The fields as arguments. A new item has nothing to remove, and the fields that it needs are required. */
const argsOf = <F extends Fields>(fields: F, isNew: boolean) => {
  const args = Object.entries(fields).map(([name, field]) => [
    name,
    isNew ? { ...field, rule: ruleOfNew(field) } : field,
  ]);
  // The cast is safe because there is one entry for each name.
  return Object.fromEntries(args) as { readonly [Name in keyof F]: F[Name] };
};

function ruleOfNew({ isRequired, kind }: Field): Rule {
  if (isRequired) return TYPED;
  return kind === 'list' ? optional(list(TYPED)) : optional(TYPED);
}

/** An edited item, before and after. */
export interface Edit<T> {
  readonly before: T;
  readonly after: T;
}

/** How ads or campaigns are added and edited. */
interface DraftKind<T, Kind extends 'ad' | 'campaign', F extends Fields> {
  readonly kind: Kind;
  /** See {@link Command}. */
  readonly touches: readonly [Touch, ...Touch[]];
  readonly fields: F;
  /** The flags in examples. */
  readonly examples: { readonly add: readonly string[]; readonly edit: readonly string[] };
  create(id: string, now: string): T;
  /** The values of the fields, by default those of the item. */
  fieldsOf?(item: T): object;
  /** See {@link Command}. It must be large enough for an image, if one of the fields is an image. */
  readonly bodyBytes?: number;
  /** The item with the changed fields. @throws OperationError */
  read(before: T, draft: Draft<F>, of: DraftBlog): T;
  put(context: CommandContext, item: T, image: string | undefined): Promise<unknown>;
}

/** The commands that add and edit an item. */
export function draftRows<
  T extends SnapshotAd | SnapshotCampaign,
  const Kind extends 'ad' | 'campaign',
  F extends Fields,
>({ kind, touches, fields, examples, create, fieldsOf = (item) => item, bodyBytes, read, put }: DraftKind<T, Kind, F>) {
  const { scopes, sample } = KINDS[kind];
  const one = kind === 'ad' ? 'an ad' : 'a campaign';
  const shared = { touches, scopes, ...(bodyBytes !== undefined && { bodyBytes }) };
  const image = bodyBytes === undefined ? {} : { image: internal(optional(text({ max: bodyBytes }))) };
  const add = command({
    help: `add ${one} and print its id`,
    examples: examples.add.map((flags) => `${kind}s add news ${flags}`),
    effect: 'write',
    ...shared,
    args: { ...argsOf(fields, true), ...image },
    async run(context: CommandContext, args): Promise<T> {
      const { store, blog, now } = context;
      const { timeZone, domains } = await requireBlog(store, blog);
      const blank = create(crypto.randomUUID(), new Date(now).toISOString());
      const added = read(blank, textsIn(args) as Draft<F>, { now, timeZone, domains, isNew: true });
      await put(context, added, textsIn(args)['image']);
      return added;
    },
    text: ({ id }) => `Added ${id}.`,
    log: (added) => `created the ${kind} ${named(added)}`,
  });
  const edit = command({
    help: `update the given fields of ${one}; an empty value removes a field`,
    examples: examples.edit.map((flags) => `${kind}s edit news ${sample} ${flags}`),
    effect: 'write',
    ...shared,
    args: {
      ...itemArgs(kind, idOf(kind)),
      ...argsOf(fields, false),
      ...image,
    },
    async run(context: CommandContext, args): Promise<Edit<T>> {
      const { store, blog, now } = context;
      const { [kind]: id = '', image: base64 } = textsIn(args);
      const { timeZone, domains } = await requireBlog(store, blog);
      const before = (await requireItem(store, kind, blog, id)) as T;
      const after = read(before, textsIn(args) as Draft<F>, { now, timeZone, domains });
      await put(context, after, base64);
      return { before, after };
    },
    async current({ store, blog }: CommandContext, args): Promise<Shown> {
      const { timeZone } = await requireBlog(store, blog);
      const item = await requireItem(store, kind, blog, textsIn(args)[kind] ?? '');
      return shownFields(fields, fieldsOf(item as T), timeZone);
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

/** The values of fields as a form shows them. */
function shownFields(fields: Fields, values: object, timeZone: string | undefined): Shown {
  const shown = Object.entries(fields).map(([name, { kind }]) => {
    return [name, shownText(values[name as keyof typeof values], kind, timeZone)];
  });
  return Object.fromEntries(shown);
}

/** The names of the changed fields. */
const changedIn = <T extends object>({ before, after }: Edit<T>) =>
  (Object.keys({ ...before, ...after }) as (keyof T & string)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );

/** The changed fields, one per line; empty if there are none. */
function changesIn<T extends object>(edited: Edit<T>, written: Written): string {
  const { before, after } = edited;
  const textOf = (item: T, name: keyof T & string) => {
    const value = item[name];
    return JSON.stringify(typeof value === 'string' && name.endsWith('At') ? written(value) : value);
  };
  return changedIn(edited)
    .map((name) => `\n  ${name}: ${textOf(before, name)} -> ${textOf(after, name)}`)
    .join('');
}
