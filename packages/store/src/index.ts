// The store over SQL, for any engine: nothing here depends on Node.

export type { LogEntry } from './access/log.ts';
export { INVITATION_LIFE, type Person, type PersonRecord, ROLES, type Role } from './access/people.ts';
export type { Receipt } from './access/receipts.ts';
export type { ReportLink } from './access/report-links.ts';
export { SESSION_LIFE } from './access/sessions.ts';
export { SCOPES, type Scope } from './access/tokens.ts';
export { fromBase64, isBase64, toBase64 } from './base64.ts';
export { adName, adTitle, type LeftAd } from './blogs/ads.ts';
export { newApiKey, newManagementToken, randomText, sha256Hex } from './blogs/api-key.ts';
export type { ImportChange, ImportedBlog, ImportOptions, NamedChanges } from './blogs/blog-import.ts';
export { BlogExists, type BlogRecord } from './blogs/blogs.ts';
export { type Clash, ContentClash } from './blogs/clashes.ts';
export type { KeyRecord } from './blogs/keys.ts';
export type { Pruned } from './blogs/prune.ts';
export { BIN_LIFE, type BinEntry, type BinKey, type LeftEntry, type ListedBinEntry } from './blogs/recycle-bin.ts';
export {
  COPIED_TABLES,
  type Copied,
  type CopyEnd,
  type CopyProgress,
  type CopySource,
  type CopyTable,
  type CopyTarget,
  copyDatabase,
  createSqlTarget,
  DatabaseNotEmpty,
  type Row,
} from './copy/copy.ts';
export type { Database, Transact, TransactOptions } from './database.ts';
export { pruneEvents } from './events/prune-events.ts';
export type { BlogSource, PostTotals } from './imports/plan.ts';
export { migrate, NotOurs } from './migrations.ts';
export type { PostFilter, PostRecord, Publication } from './posts/post-management.ts';
export { DatabaseTooNew, UnknownSchema } from './schema/versions.ts';
export { createDb, createTransactionDb, type Db, insert, names } from './sql.ts';
export { createSqlStore, type OperatorStore, type SqlStore } from './sql-store.ts';
export { SQLITE_EVENTS, SQLITE_SCHEMA } from './sqlite/dialect.ts';
export { createSqliteSearch } from './sqlite/search.ts';
export { primaryKey, type Tables } from './tables.ts';
export { imageUpload, MOST_PARTS, PartMissing } from './uploads.ts';
export type { HookRequest, SendRequest } from './webhooks/hook-request.ts';
export { type HookRecord, MAX_HOOKS, type NewHook } from './webhooks/hooks.ts';
export type { Attempt, DueMessage, HookMessage, OutboxReader, Room } from './webhooks/messages.ts';
