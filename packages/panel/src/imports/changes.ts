import type { SnapshotBlog, SnapshotBlogInput } from '@broadsheet/contract';

export interface KindChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly same: number;
  /** Removed only with pruning. */
  readonly removed: readonly string[];
}

const KINDS = ['posts', 'categories', 'tags', 'campaigns', 'ads'] as const;
/** Kinds that an import never deletes. */
const KEPT: ReadonlySet<Kind> = new Set(['campaigns', 'ads']);
export type Kind = (typeof KINDS)[number];

interface Thing {
  readonly id: string;
  readonly title?: string | null | undefined;
  readonly name?: string | undefined;
}

/** The changes of an import to a blog, with the names of what it changes. */
export type BlogChanges = ReturnType<typeof compareBlogs>;

/** Compares the content of an import with the content of the blog, which does not exist yet if it is new. */
export function compareBlogs({ id, name, ...input }: SnapshotBlogInput, before: SnapshotBlog | undefined) {
  const kinds = KINDS.map((kind) => [kind, compare(input[kind] ?? [], before?.[kind] ?? [], !KEPT.has(kind))] as const);
  return { id, name, isNew: before === undefined, kinds: Object.fromEntries(kinds) as Record<Kind, KindChanges> };
}

function compare(input: readonly Thing[], before: readonly Thing[], prunes: boolean): KindChanges {
  const known = new Map(before.map((thing) => [thing.id, thing]));
  const given = new Map(input.map((thing) => [thing.id, thing]));
  const added: string[] = [];
  const changed: string[] = [];
  let same = 0;
  for (const thing of given.values()) {
    const old = known.get(thing.id);
    if (!old) added.push(nameOf(thing));
    else if (differs(thing, old)) changed.push(nameOf(thing));
    else same += 1;
  }
  const removed = prunes ? before.filter(({ id }) => !given.has(id)).map(nameOf) : [];
  return { added, changed, same, removed };
}

const nameOf = ({ id, title, name }: Thing): string => title || name || id;

/** Compares only the fields that the source contains, because the others keep their value or get the default. */
function differs(given: Thing, before: Thing): boolean {
  const old = before as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(given).some(([field, value]) => {
    if (value === undefined || field === 'updatedAt') return false;
    return comparable(value) !== comparable(old[field]);
  });
}

/** Timestamps are equal regardless of their time zone, lists of ids regardless of their order. */
function comparable(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify([...value].sort());
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value)) return String(Date.parse(value));
  return JSON.stringify(value ?? null);
}
