export { newApiKey } from './blogs/api-key.ts';
export { type Copied, type CopyOptions, copyDatabase } from './copy/copy-database.ts';
export type { StoreOptions } from './open-database.ts';
export { openStore } from './open-store.ts';
export {
  INVITATION_LIFE,
  type LogEntry,
  type LogQuery,
  type PeopleStore,
  type Person,
  type PersonRecord,
  ROLES,
  type Role,
  SESSION_LIFE,
} from './people/people-store.ts';
export {
  BlogExists,
  type BlogRecord,
  type Clash,
  ContentClash,
  DatabaseNotEmpty,
  DatabaseTooNew,
  type ImportedBlog,
  type ImportOptions,
  type KeyRecord,
  NotOurs,
  type PostFilter,
  type PostRecord,
  type Pruned,
  type Publication,
  type ServerStore,
} from './server-store.ts';
