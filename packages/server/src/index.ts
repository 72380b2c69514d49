export { createServer } from './http/create-server.ts';
export type { RunningServer, ServerOptions } from './http/server-options.ts';
export { createLog, type Logger } from './ops/log.ts';
export type { LogLevel } from './ops/log-level.ts';
export { openStore, type StoreOptions } from './store/open-store.ts';
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
} from './store/server-store.ts';
