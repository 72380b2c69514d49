import { type CopyEnd, type CopySource, type CopyTable, type CopyTarget, PLAIN_TABLES } from './copy-ends.ts';

/** Rows copied, by table. */
export type Copied = Readonly<Record<CopyTable, number>>;

/** Takes the number of posts written and of those there are. */
export type CopyProgress = (written: number, total: number) => void;

/**
 * Copies one database into another that is empty, with everything it holds: content, keys, counts, used tokens,
 * people and the secret of click tokens. What is copied is the source at one moment, also while it is in use; in the
 * target there is everything or nothing.
 *
 * @throws DatabaseNotEmpty
 * @throws NotOurs when the source has no tables of Broadsheet
 */
export function copyDatabase(from: CopyEnd, to: CopyEnd, onProgress?: CopyProgress): Promise<Copied> {
  return from.read((source) => to.write((target) => copyAll(source, target, onProgress)));
}

async function copyAll(source: CopySource, target: CopyTarget, onProgress?: CopyProgress): Promise<Copied> {
  const copied: Record<string, number> = {};
  for (const table of PLAIN_TABLES) {
    copied[table] = 0;
    for await (const rows of source.rows(table)) {
      await target.write(table, rows);
      copied[table] += rows.length;
    }
  }
  const total = await source.countPosts();
  copied['posts'] = 0;
  for await (const rows of source.posts()) {
    await target.writePosts(rows);
    copied['posts'] += rows.length;
    onProgress?.(copied['posts'], total);
  }
  await target.finish();
  return copied as Copied;
}
