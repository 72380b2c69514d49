import type { SnapshotBlogInput } from '@broadsheet/contract';
import type { Database, ImportedBlog, ImportOptions, NamedChanges, SqlStore } from '@broadsheet/store';
import { sql } from 'kysely';
import { OperationError } from '../operations/operation-error.ts';
import { UPLOAD_LIFE } from '../people/person.ts';

/**
 * Receives a blog in parts, because requests and rows are limited in size, and writes it in one transaction. A part is
 * named by the hash of its content, so sending it again changes nothing, and an import that was interrupted sends only
 * what is missing.
 */
export interface ImportParts {
  /** The parts that are not stored; the others stay for another hour. */
  missingParts(blogId: string, parts: readonly string[], now: number): Promise<readonly string[]>;
  /** Stores a part: a blog with some of its posts. @throws OperationError when too many parts wait to be imported */
  addImportPart(blogId: string, part: string, blog: SnapshotBlogInput, now: number): Promise<void>;
  /**
   * Imports parts in one transaction. They stay until they expire, because another import may have the same.
   *
   * @throws OperationError when a part is missing
   */
  importParts(
    blogId: string,
    parts: readonly string[],
    now: number,
    options: ImportOptions,
  ): Promise<readonly ImportedBlog[]>;
  /** The API keys in plain text that parts contain. */
  keysOfParts(blogId: string, parts: readonly string[]): Promise<readonly string[]>;
}

/** The maximum number of parts of a blog, of at most 2 MB each, that wait to be imported. */
const MOST_PARTS = 2000;

export function createImportParts(
  { reader, transact }: Pick<Database, 'reader' | 'transact'>,
  { importBlogs }: Pick<SqlStore, 'importBlogs'>,
): ImportParts {
  // No session has this hash, because it is not hexadecimal.
  const owner = (blogId: string) => `import ${blogId}`;
  const stored = (blogId: string) => reader.selectFrom('uploads').where('session_hash', '=', owner(blogId));

  async function* read(blogId: string, parts: readonly string[]): AsyncGenerator<SnapshotBlogInput> {
    for (const part of parts) {
      const row = await stored(blogId).select('content').where('name', '=', part).executeTakeFirst();
      if (!row) throw new OperationError('Part of the import was not received, or has expired: run the import again.');
      yield JSON.parse(row.content);
    }
  }

  return {
    async missingParts(blogId, parts, now) {
      const found = new Set((await stored(blogId).select('name').execute()).map(({ name }) => name));
      await transact((db) =>
        db
          .updateTable('uploads')
          .set({ expires_at: now + UPLOAD_LIFE })
          .where('session_hash', '=', owner(blogId))
          .execute(),
      );
      return parts.filter((part) => !found.has(part));
    },
    async addImportPart(blogId, part, blog, now) {
      const content = JSON.stringify(blog);
      await transact(async (db) => {
        await db.deleteFrom('uploads').where('expires_at', '<=', now).execute();
        const { rows } = await sql<{ parts: number }>`
          select count(*) as parts from uploads where session_hash = ${owner(blogId)}`.execute(db);
        if (Number(rows[0]?.parts ?? 0) >= MOST_PARTS) {
          throw new OperationError(
            `More than ${MOST_PARTS} parts of ${blogId} wait to be imported; try again in an hour.`,
          );
        }
        await db
          .insertInto('uploads')
          .values({ session_hash: owner(blogId), name: part, part: 0, expires_at: now + UPLOAD_LIFE, content })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      });
    },
    async importParts(blogId, parts, now, options) {
      const imported = await importBlogs({ [Symbol.asyncIterator]: () => read(blogId, parts) }, now, options);
      const [first] = imported;
      return first ? [{ ...first, ...together(imported) }] : [];
    },
    async keysOfParts(blogId, parts) {
      const keys: string[] = [];
      for await (const { apiKeys = [] } of read(blogId, parts)) keys.push(...apiKeys);
      return keys;
    },
  };
}

/** Adds up the results of the parts. */
function together(parts: readonly ImportedBlog[]): Partial<ImportedBlog> {
  return {
    changed: [...new Set(parts.flatMap(({ changed }) => changed))],
    posts: parts.reduce((sum, { posts }) => sum + posts, 0),
    newPosts: parts.reduce((sum, { newPosts }) => sum + newPosts, 0),
    changes: { posts: namedIn(parts, 'posts'), categories: namedIn(parts, 'categories'), tags: namedIn(parts, 'tags') },
    // Pruning is reported with the last part.
    pruned: parts.at(-1)?.pruned ?? { posts: 0, categories: 0, tags: 0 },
    newKey: parts.find(({ newKey }) => newKey !== undefined)?.newKey,
  };
}

function namedIn(parts: readonly ImportedBlog[], kind: keyof ImportedBlog['changes']): NamedChanges {
  const all = (of: keyof NamedChanges) => parts.flatMap(({ changes }) => changes[kind][of]);
  return { added: all('added'), changed: all('changed'), removed: all('removed') };
}
