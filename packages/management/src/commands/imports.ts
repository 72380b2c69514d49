import { accept, flag, list, optional, SnapshotBlog, SourceBlog, text } from '@broadsheet/contract';
import { settleBlog } from '@broadsheet/core';
import { type ImportChange, type ImportedBlog, type ImportOptions, MOST_PARTS, sha256Hex } from '@broadsheet/store';
import { reservedId } from '../operations/blogs.ts';
import { OperationError, problemsAt } from '../operations/operation-error.ts';
import { type Actor, asGiven, command, internal } from './command.ts';
import { requireContent, requireEverything } from './effects.ts';

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
    isIdempotent: true,
    unlogged: 'nobody sees it yet',
    on: 'any blog',
    scopes: CONTENT,
    bodyBytes: PART_BYTES,
    args: { name: internal(optional(name)), part: asGiven(SourceBlog) },
    async run({ store, blog, now, actor }, { name: stated, part }) {
      if (part.id !== blog) {
        throw new OperationError([{ at: 'part', message: `belongs to the blog ${part.id}, but was sent to ${blog}` }]);
      }
      const read = accept(SnapshotBlog, settleBlog(part, { now }).blog);
      if (!read.ok) throw new OperationError(problemsAt(read.fields));
      if (part.apiKeys?.length) requireEverything(actor, 'an import of API keys');
      if (!(await store.hasBlog(blog))) requireEverything(actor, 'an import of a new blog');
      // The name of a part decides what another import with this name publishes, so the server computes it.
      const hash = await sha256Hex(JSON.stringify(part));
      if (stated !== undefined && stated !== hash) {
        throw new OperationError([{ at: 'name', message: `is not the SHA-256 of the part, which is ${hash}` }]);
      }
      if ((await store.addImportPart(blog, hash, part, now)) === 'too many parts') {
        throw new OperationError(`More than ${MOST_PARTS} parts of ${blog} wait to be imported; try again in an hour.`);
      }
      return { name: hash };
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
      allowMovedUrls: internal(optional(flag)),
      dryRun: internal(optional(flag)),
    },
    transaction: 'own',
    unlogged: 'run writes the log',
    alone: true,
    async run(context, { parts, prune = false, keepNames = false, allowMovedUrls = false, dryRun = false }) {
      const { store, blog, now, actor, request, signal, pause, requireFreeKeys } = context;
      const reserved = reservedId(blog);
      if (reserved !== undefined) throw new OperationError([{ at: `blog ${blog}`, message: reserved }]);
      if (new Set(parts).size < parts.length) throw new OperationError([{ at: 'parts', message: 'contains repeats' }]);
      const isLimited = actor.scope !== 'all' || actor.blogId !== null;
      // An error names what is stored, so the permission comes first.
      if (isLimited) requireContent(actor, await store.kindsOfParts(blog, parts, now));
      if (isLimited || requireFreeKeys) {
        const apiKeys = await store.keysOfParts(blog, parts, now);
        // The message about a key that is in use would reveal which keys others have.
        if (apiKeys.length > 0) requireEverything(actor, 'an import of API keys');
        await requireFreeKeys?.(apiKeys);
      }
      return store.importParts(blog, parts, now, {
        ...{ prune, keepNames, allowMovedUrls, dryRun, request },
        ...(signal && { signal }),
        ...(pause && { onProgress: pause }),
        entries: describeImports(actor, now),
      });
    },
  }),
};

/**
 * The log entries of an import.
 *
 * @param source the name of the file, for the log
 */
export const describeImports = (actor: Actor, now: number, source?: string): ImportOptions['entries'] =>
  function entries(imported) {
    const entry = { at: new Date(now).toISOString(), who: actor.name };
    return imported.map((blog) => ({ ...entry, blogId: blog.id, what: describeImport(blog, source) }));
  };

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
