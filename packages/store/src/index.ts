export { newApiKey } from './blogs/api-key.ts';
export { openStore, type StoreOptions } from './open-store.ts';
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
