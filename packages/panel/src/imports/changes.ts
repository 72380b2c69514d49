import type { SnapshotBlog, SourceBlogInput } from '@broadsheet/contract';
import type { ImportedBlog } from '@broadsheet/store';

export interface KindChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly same: number;
  /** What the content does not have. It is removed only with pruning. */
  readonly missing: readonly string[];
}

const KINDS = ['posts', 'categories', 'tags', 'campaigns', 'ads'] as const;
export type Kind = (typeof KINDS)[number];

/** The changes of an import to a blog, with the names of what it changes. */
export interface BlogChanges {
  readonly id: string;
  readonly name: string;
  readonly isNew: boolean;
  readonly kinds: Readonly<Record<Kind, KindChanges>>;
}

/**
 * @param imported the result of the import, or of its dry run
 * @param before the blog as it was; `undefined` if it is new
 */
export function changesOf(
  imported: Pick<ImportedBlog, 'id' | 'changes' | Kind>,
  { name, ...source }: SourceBlogInput,
  before: SnapshotBlog | undefined,
): BlogChanges {
  const of = (kind: Kind): KindChanges => {
    const { added, changed } = imported.changes[kind];
    const isKept = kind === 'campaigns' || kind === 'ads';
    const missing = isKept ? [] : missingIn(source[kind] ?? [], before?.[kind] ?? []);
    return { added, changed, same: imported[kind] - added.length - changed.length, missing };
  };
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<Kind, KindChanges>;
  return { id: imported.id, name, isNew: before === undefined, kinds };
}

type Named = { readonly id: string; readonly title?: string; readonly name?: string };

function missingIn(source: readonly { readonly id: string }[], before: readonly Named[]): string[] {
  const ids = new Set(source.map(({ id }) => id));
  return before.filter(({ id }) => !ids.has(id)).map(({ id, title, name }) => title || name || id);
}
