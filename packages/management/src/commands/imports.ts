import { flag, list, optional, SnapshotBlog, text } from '@broadsheet/contract';
import type { ImportChange, ImportedBlog, ImportOptions } from '@broadsheet/store';
import { reservedId } from '../operations/blogs.ts';
import { OperationError } from '../operations/operation-error.ts';
import { writeLog } from '../people/log.ts';
import { type Actor, asGiven, command, internal } from './command.ts';
import { requireEverything, requireScope } from './run-command.ts';

const CONTENT = ['import', 'ads'] as const;
/** The name of a part: its SHA-256 in hexadecimal. */
const name = text({ min: 64, max: 64 });
const names = internal(list(name, { max: 10_000 }));
/** The maximum number of bytes of a part: a row of a Durable Object has at most 2 MB. */
const PART_BYTES = 2_000_000;

/**
 * The steps of an import over HTTP: a blog is received in parts, because requests and rows are limited in size, and
 * written in one transaction.
 */
export const imports = {
  'import.missing': command({
    effect: 'read',
    on: 'any blog',
    scopes: CONTENT,
    args: { parts: names },
    run: ({ store, blog, now }, { parts }) => store.missingParts(blog, parts, now),
  }),
  'import.add': command({
    effect: 'write',
    touches: ['uploads'],
    transaction: 'own',
    unlogged: 'nobody sees it yet',
    on: 'any blog',
    scopes: CONTENT,
    bodyBytes: PART_BYTES,
    args: { name: internal(name), part: asGiven(SnapshotBlog) },
    async run({ store, blog, now, actor }, { name: hash, part }) {
      if (part.id !== blog) {
        throw new OperationError([{ at: 'part', message: `belongs to the blog ${part.id}, but was sent to ${blog}` }]);
      }
      if (part.apiKeys?.length) requireEverything(actor, 'an import of API keys');
      if (!(await store.hasBlog(blog))) requireEverything(actor, 'an import of a new blog');
      await store.addImportPart(blog, hash, part, now);
    },
  }),
  'import.run': command({
    effect: 'write',
    touches: ['blog', 'settings', 'posts', 'labels', 'ads', 'campaigns', 'keys'],
    on: 'any blog',
    scopes: CONTENT,
    args: {
      parts: names,
      prune: internal(optional(flag)),
      keepNames: internal(optional(flag)),
      dryRun: internal(optional(flag)),
    },
    transaction: 'own',
    unlogged: 'run writes the log',
    alone: true,
    async run(context, { parts, prune = false, keepNames = false, dryRun = false }) {
      const { store, blog, now, actor, signal, pause, requireFreeKeys } = context;
      const reserved = reservedId(blog);
      if (reserved !== undefined) throw new OperationError([{ at: `blog ${blog}`, message: reserved }]);
      if (new Set(parts).size < parts.length) throw new OperationError([{ at: 'parts', message: 'contains repeats' }]);
      const isLimited = actor.scope !== 'all' || actor.blogId !== null;
      if (isLimited || requireFreeKeys) {
        const apiKeys = await store.keysOfParts(blog, parts, now);
        // The message about a key that is in use would reveal which keys others have.
        if (apiKeys.length > 0) requireEverything(actor, 'an import of API keys');
        await requireFreeKeys?.(apiKeys);
      }
      return store.importParts(blog, parts, now, {
        ...{ prune, keepNames, dryRun },
        ...(signal && { signal }),
        ...(pause && { onProgress: pause }),
        also: checkAndLog(actor, now),
      });
    },
  }),
};

/**
 * Ends the transaction of an import. It throws, which rolls the import back, if the actor may not make its changes, and
 * otherwise writes the log entries.
 *
 * @param source the name of the file, for the log
 */
export const checkAndLog = (actor: Actor, now: number, source?: string): ImportOptions['also'] =>
  async function also(db, imported) {
    requireImportScopes(actor, imported);
    const entry = { at: new Date(now).toISOString(), who: actor.name };
    for (const blog of imported) await writeLog(db, { ...entry, blogId: blog.id, what: describeImport(blog, source) });
  };

/**
 * Decides by the changes that an import has made, so that an unchanged field needs no permission.
 *
 * @throws OperationError
 */
function requireImportScopes(actor: Actor, imported: readonly ImportedBlog[]): void {
  for (const { posts, categories, tags, changed } of imported) {
    if (posts + categories + tags > 0) requireScope(actor, ['import'], 'an import of posts');
    if (changed.includes('blog')) requireEverything(actor, 'an import of a new blog');
    if (changed.includes('keys')) requireEverything(actor, 'an import of API keys');
    for (const change of changed) {
      requireScope(actor, isOfAds(change) ? ['ads'] : [], `an import that changes the ${change}`);
    }
  }
}

const isOfAds = (change: ImportChange) => change === 'ads' || change === 'campaigns';

/**
 * The changes of an import in a blog, for the log.
 *
 * @param source the name of the file
 */
export function describeImport(imported: ImportedBlog, source?: string): string {
  const { posts, newPosts, changed, pruned } = imported;
  const settings = changed.filter((change) => !isOfAds(change));
  const removed = Object.values(pruned).reduce((sum, count) => sum + count, 0);
  const labels = (['categories', 'tags'] as const).filter((kind) => imported[kind] > 0);
  const counts = [
    `${posts} posts, ${newPosts} of them new`,
    ...[...labels, ...changed.filter(isOfAds)].map((kind) => `${imported[kind]} ${kind}`),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ];
  const what = `imported ${source === undefined ? '' : `“${source}”: `}${counts.join(', ')}`;
  return settings.length === 0 ? what : `${what}; changed the ${settings.join(', ')}`;
}
