export { newApiKey } from './blogs/api-key.ts';
export { openStore, type StoreOptions } from './open-store.ts';
export {
  BlogExists,
  type BlogRecord,
  type Clash,
  ContentClash,
  DatabaseTooNew,
  type ImportedBlog,
  type KeyRecord,
  NotOurs,
  type ServerStore,
} from './server-store.ts';
