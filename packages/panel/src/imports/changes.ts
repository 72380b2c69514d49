import type { SnapshotBlog, SnapshotBlogInput } from '@broadsheet/contract';

/** What an import would do to one kind of thing. */
export interface KindChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly same: number;
  /** With pruning alone. */
  readonly removed: readonly string[];
}

/** What an import would do to a blog, by names. */
export interface BlogChanges {
  readonly id: string;
  readonly name: string;
  /** Whether the blog is not there yet. */
  readonly isNew: boolean;
  readonly kinds: Readonly<Record<Kind, KindChanges>>;
}

const KINDS = ['posts', 'categories', 'tags', 'ads'] as const;
export type Kind = (typeof KINDS)[number];

interface Thing {
  readonly id: string;
  readonly title?: string | null | undefined;
  readonly name?: string | undefined;
}

/** Compares what was read with what is there; nothing is done. */
export function compareBlogs(input: SnapshotBlogInput, before: SnapshotBlog | undefined): BlogChanges {
  const kinds = KINDS.map((kind) => [kind, compare(input[kind] ?? [], before?.[kind] ?? [], kind !== 'ads')] as const);
  return {
    id: input.id,
    name: input.name,
    isNew: before === undefined,
    kinds: Object.fromEntries(kinds) as Record<Kind, KindChanges>,
  };
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

/** Only what the source says counts: what it leaves out stays or has its default. */
function differs(given: Thing, before: Thing): boolean {
  const old = before as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(given).some(([field, value]) => {
    if (value === undefined || field === 'updatedAt') return false;
    return comparable(value) !== comparable(old[field]);
  });
}

/** An instant is the same however it is written, a list of ids in whatever order. */
function comparable(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify([...value].sort());
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value)) return String(Date.parse(value));
  return JSON.stringify(value ?? null);
}
