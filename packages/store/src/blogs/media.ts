import { findMedia, mediaPath } from '@broadsheet/core';
import sql, { join } from 'sql-template-tag';
import type { Database } from '../database.ts';
import type { Session } from '../session.ts';
import { chunks, type Db, names, readInBatches } from '../sql.ts';
import { keyInBlog, type Tables } from '../tables.ts';
import { type Change, changesOfPosts, openOutbox, readStoredPosts, reportAds } from '../webhooks/outbox.ts';
import { lockBlog, touchBlog } from './blogs.ts';

/** The tables whose texts refer to images, and their columns with such texts. */
const TEXTS = {
  posts: ['json', 'cover_url'],
  ads: ['image_url'],
  recycle_bin: ['json', 'cover_url'],
} as const satisfies Partial<Record<keyof Tables, readonly string[]>>;

type ItemKind = 'post' | 'ad';

/** The kind of the items in a table; rows of the recycle bin have a column for it. */
const KIND_OF: Readonly<Record<keyof typeof TEXTS, ItemKind | undefined>> = {
  posts: 'post',
  ads: 'ad',
  recycle_bin: undefined,
};

interface MediaMove {
  readonly blogId: string;
  readonly from: string;
  readonly to: string;
  readonly kinds: readonly ItemKind[];
}

type Row = Readonly<Record<string, string | null>>;

const ROWS = 200;
/** How often unused images are searched for again because the blog was changed in the meantime. */
const ATTEMPTS = 3;

/** The methods of operators for all images of a blog. */
export function createMediaManagement({ database, change }: Session) {
  return {
    /**
     * Removes the images to which nothing in the blog refers, deleted items included; returns their number. Store
     * images again after writing the text that refers to them, because pruning may have run in between.
     */
    pruneImages: (blogId: string): Promise<number> => pruneImages(database, blogId),
    /**
     * Replaces the beginning of the URLs of stored images, in deleted posts and ads too; returns the number of texts
     * that changed.
     *
     * @param kinds the items that are changed
     */
    async moveMedia(
      blogId: string,
      from: string,
      to: string,
      kinds: readonly ItemKind[] = ['post', 'ad'],
    ): Promise<number> {
      // The URLs are inserted into JSON.
      if (/["\\\s]/.test(from + to)) throw new Error('A URL contains a quote, a backslash or white space.');
      return change(blogId, (db) => moveMedia(db, { blogId, from, to, kinds }), { for: 'long' });
    },
  };
}

async function pruneImages(
  { snapshot, transact }: Pick<Database, 'snapshot' | 'transact'>,
  blogId: string,
): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { revision, unused } = await snapshot((db) => findUnused(db, blogId));
    if (unused.length === 0) return 0;
    const isRemoved = await transact(
      async (db) => {
        // A blog without a row was never imported, or was deleted.
        await lockBlog(db, blogId);
        if ((await readRevision(db, blogId)) !== revision) return false;
        for (const hashes of chunks(unused, ROWS)) {
          await db`delete from images where blog_id = ${blogId} and hash in (${join(hashes)})`;
        }
        return true;
      },
      { for: 'long' },
    );
    if (isRemoved) return unused.length;
  }
  return 0;
}

async function findUnused(db: Db, blogId: string): Promise<{ revision: string | undefined; unused: string[] }> {
  const revision = await readRevision(db, blogId);
  const images = await db<{ hash: string }>`select hash from images where blog_id = ${blogId} and part = 0`;
  const unused = new Set(images.map(({ hash }) => hash));
  for (const table of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) {
    if (unused.size === 0) break;
    for await (const rows of textsWith(db, { table, blogId, url: '/media/' })) {
      for (const { hash } of findMedia(rows.map(textOf).join('\n'))) unused.delete(hash);
    }
  }
  return { revision, unused: [...unused] };
}

const textOf = (row: Row): string => Object.values(row).join('\n');

async function readRevision(db: Db, blogId: string): Promise<string | undefined> {
  const rows = await db<{ revision: string }>`select revision from blogs where blog_id = ${blogId}`;
  return rows[0]?.revision;
}

async function moveMedia(db: Db, { blogId, from, to, kinds }: MediaMove): Promise<number> {
  if (!(await lockBlog(db, blogId))) return 0;
  return reportAds(db, blogId, async () => {
    let moved = 0;
    const changes: Change[] = [];
    for (const table of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) {
      for await (const all of textsWith(db, { table, blogId, url: `${from}/media/` })) {
        const rows = all.filter(({ kind }) => (kinds as readonly unknown[]).includes(KIND_OF[table] ?? kind));
        const ids = table === 'posts' ? rows.map(({ id }) => id ?? '') : [];
        const stored = () => (ids.length > 0 ? readStoredPosts(db, blogId, ids) : []);
        const before = await stored();
        for (const row of rows) moved += await moveRow(db, { table, blogId, row, from, to });
        changes.push(...changesOfPosts(before, await stored()));
      }
    }
    if (moved === 0) return 0;
    await touchBlog(db, blogId);
    await (await openOutbox(db, blogId))?.(changes);
    return moved;
  });
}

interface Move {
  readonly table: keyof typeof TEXTS;
  readonly blogId: string;
  readonly row: Row;
  readonly from: string;
  readonly to: string;
}

/** Rewrites the texts of a row; only URLs of stored images are rewritten, because a site may have a folder `media`. */
async function moveRow(db: Db, { table, blogId, row, from, to }: Move): Promise<number> {
  const columns: readonly string[] = TEXTS[table];
  const changes = columns.flatMap((column) => {
    const before = row[column];
    if (!before) return [];
    const paths = new Set(findMedia(before).map(mediaPath));
    const after = [...paths].reduce((text, path) => text.replaceAll(from + path, to + path), before);
    return after === before ? [] : [sql`${names(column)} = ${after}`];
  });
  if (changes.length === 0) return 0;
  const keys = keyInBlog(table).map((key) => sql`${names(key)} = ${row[key]}`);
  await db`update ${names(table)} set ${join(changes)}
    where blog_id = ${blogId} and ${join(keys, ' and ')}`;
  return 1;
}

/** The rows of a blog in which a text contains a URL, or part of one, in batches. */
function textsWith(
  db: Db,
  { table, blogId, url }: { readonly table: keyof typeof TEXTS; readonly blogId: string; readonly url: string },
): AsyncIterable<readonly Row[]> {
  // A Durable Object limits the pattern of `like` to 50 bytes.
  const found = TEXTS[table].map((name) => sql`replace(${names(name)}, ${url}, '') <> ${names(name)}`);
  const columns = [...keyInBlog(table), ...TEXTS[table]];
  return readInBatches(db, table, ROWS, { blogId, columns, where: join(found, ' or ') });
}
