// The store over SQL, whichever engine runs it: nothing here needs Node.

export { adName } from './blogs/ads.ts';
export { newApiKey, sha256Hex } from './blogs/api-key.ts';
export { lockBlog } from './blogs/blogs.ts';
export { BIN_LIFE } from './blogs/recycle-bin.ts';
export { type Copied, type CopyProgress, copyDatabase } from './copy/copy-database.ts';
export {
  type CopyEnd,
  type CopySource,
  type CopyTable,
  type CopyTarget,
  PLAIN_TABLES,
  type PlainTable,
  type PostRow,
  PRIMARY_KEYS,
  type Row,
} from './copy/copy-ends.ts';
export { createSqlTarget } from './copy/sql-target.ts';
export type { Database, Transact } from './database.ts';
export type { createGroupCommit } from './events/group-commit.ts';
export { pruneEvents } from './events/prune-events.ts';
export type { Asked, Earned, Sums } from './events/sums.ts';
export { migrate } from './migrations.ts';
export type { Ready } from './prepared.ts';
export {
  type BinEntry,
  type BinKey,
  BlogExists,
  type BlogRecord,
  type Clash,
  ContentClash,
  DatabaseNotEmpty,
  DatabaseTooNew,
  type DeletedPart,
  type ImportedBlog,
  type ImportOptions,
  type KeyRecord,
  NotOurs,
  type PostFilter,
  type PostRecord,
  type Pruned,
  type Publication,
  type SqlStore,
} from './server-store.ts';
export { createSqlStore } from './sql-store.ts';
export { createSqliteEvents } from './sqlite/events.ts';
export { SQLITE_SCHEMA } from './sqlite/schema.ts';
export { createSqliteSearch } from './sqlite/search.ts';
export type { Tables } from './tables.ts';
