import type { SourceBlogInput } from '@broadsheet/contract';
import type { Image } from '@broadsheet/core';
import { toBase64 } from './base64.ts';
import { sha256Hex } from './blogs/api-key.ts';
import type { ImportedBlog, ImportOptions } from './blogs/blog-import.ts';
import type { Database } from './database.ts';
import type { BlogSource } from './imports/plan.ts';
import type { Db } from './sql.ts';
import type { Tables } from './tables.ts';
import { addUploadRow, CONTENT_LIFE, type UploadRow } from './upload-rows.ts';

/** Characters per row of an upload: each is written in a separate transaction, so that other writes need not wait. */
const ROW = 1024 * 1024;
/** The maximum number of parts of a blog, of at most 2 MB each, that wait to be imported. */
export const MOST_PARTS = 2000;

/** Content that a session uploaded and that awaits confirmation. */
export interface Upload {
  readonly name: string;
  readonly content: string;
  /** Its images, which nobody else can see before the confirmation; see {@link imageUpload}. */
  readonly images?: readonly Image[];
}

/** The name under which an image of an upload is stored, as base64. */
export const imageUpload = (upload: string, hash: string): string => `${upload} ${hash}`;

/** Thrown when a part of an import was not received, or has expired; nothing was written. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';

  constructor() {
    super('Part of the import was not received, or has expired: run the import again.');
  }
}

export interface Importer {
  importBlogs(blogs: BlogSource, now: number, options: ImportOptions): Promise<readonly ImportedBlog[]>;
}

/**
 * Content that was sent and waits to be imported, of sessions of the panel and, over HTTP, of blogs. A blog is sent in
 * parts, because requests and rows are limited in size, and written in one transaction. A part is named by the hash of
 * its content, so sending it again changes nothing, and an import that was interrupted sends only what is missing.
 */
export function createUploads({ reader, transact }: Pick<Database, 'reader' | 'transact'>, { importBlogs }: Importer) {
  return {
    /** Stores content that a session sent, for an hour. It has one upload at a time, so that nobody fills the database. */
    async saveUpload(session: string, { name, content, images = [] }: Upload, now: number): Promise<void> {
      const session_hash = await sha256Hex(session);
      await transact((db) => db`delete from uploads where session_hash = ${session_hash} or expires_at <= ${now}`);
      const save = async (of: string, text: string): Promise<void> => {
        for (let part = 0; part * ROW < text.length; part += 1) {
          const row = { session_hash, name: of, part, content: text.slice(part * ROW, (part + 1) * ROW) };
          await transact((db) => addUploadRow(db, { ...row, expires_at: now + CONTENT_LIFE }));
        }
      };
      await save(name, content);
      for (const { hash, bytes } of images) await save(imageUpload(name, hash), toBase64(bytes));
    },
    /** The content with this name that the session sent; `undefined` when it has expired or was replaced. */
    readUpload: async (session: string, name: string, now: number) =>
      readContent(reader, { session_hash: await sha256Hex(session), name }, now),
    /** The parts of a blog that are not stored; the others stay for another hour. */
    async missingParts(blogId: string, parts: readonly string[], now: number): Promise<readonly string[]> {
      const rows = await transact(
        (db) =>
          db<UploadRow>`update uploads set expires_at = ${now + CONTENT_LIFE} where session_hash = ${ownerOf(blogId)}
          returning name`,
      );
      const found = new Set(rows.map(({ name }) => name));
      return parts.filter((part) => !found.has(part));
    },
    /** Stores a part, a blog with some of its posts, unless {@link MOST_PARTS} wait to be imported. */
    addImportPart: (
      blogId: string,
      part: string,
      blog: SourceBlogInput,
      now: number,
    ): Promise<'added' | 'too many parts'> =>
      transact(async (db) => {
        await db`delete from uploads where expires_at <= ${now}`;
        const session_hash = ownerOf(blogId);
        const rows = await db<{ parts: number }>`
          select count(*) as parts from uploads where session_hash = ${session_hash}`;
        if ((rows[0]?.parts ?? 0) >= MOST_PARTS) return 'too many parts';
        const row = { session_hash, name: part, content: JSON.stringify(blog) };
        await addUploadRow(db, { ...row, expires_at: now + CONTENT_LIFE });
        return 'added';
      }),
    /**
     * Imports parts in one transaction. They stay until they expire, because another import may have the same.
     *
     * @throws PartMissing
     */
    importParts: (blogId: string, parts: readonly string[], now: number, options: ImportOptions) =>
      importBlogs({ [Symbol.asyncIterator]: () => partsOf(reader, blogId, parts, now) }, now, options),
    ...createPartReader(reader),
  };
}

/** What waiting parts contain, for the permissions of an import. @throws PartMissing in each method */
const createPartReader = (reader: Database['reader']) => ({
  /** The API keys in plain text that parts contain. */
  async keysOfParts(blogId: string, parts: readonly string[], now: number): Promise<readonly string[]> {
    const keys: string[] = [];
    for await (const { apiKeys = [] } of partsOf(reader, blogId, parts, now)) keys.push(...apiKeys);
    return keys;
  },
  /** The kinds of content that parts have, besides ads and campaigns. */
  async kindsOfParts(blogId: string, parts: readonly string[], now: number): Promise<readonly ContentKind[]> {
    const kinds = new Set<ContentKind>();
    for await (const part of partsOf(reader, blogId, parts, now)) {
      for (const kind of ['posts', 'categories', 'tags'] as const) if (part[kind]?.length) kinds.add(kind);
    }
    return [...kinds];
  },
});

type ContentKind = 'posts' | 'categories' | 'tags';

async function* partsOf(
  db: Db,
  blogId: string,
  parts: readonly string[],
  now: number,
): AsyncGenerator<SourceBlogInput> {
  for (const name of parts) {
    const content = await readContent(db, { session_hash: ownerOf(blogId), name }, now);
    if (content === undefined) throw new PartMissing();
    yield JSON.parse(content);
  }
}

/** The content with this name, unless it has expired. */
async function readContent(db: Db, { session_hash, name }: UploadRow, now: number): Promise<string | undefined> {
  const rows = await db<Pick<Tables['uploads'], 'part' | 'content'>>`select part, content from uploads
    where session_hash = ${session_hash} and name = ${name} and expires_at > ${now} order by part`;
  // Another upload of the session, in another process, removed the rows that this one had written so far.
  const isComplete = rows.length > 0 && rows.every(({ part }, index) => part === index);
  return isComplete ? rows.map(({ content }) => content).join('') : undefined;
}

/** The owner of the parts of a blog. No session has this hash, because it is not hexadecimal. */
const ownerOf = (blogId: string): string => `import ${blogId}`;
