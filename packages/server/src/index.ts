export {
  createLog,
  type Logger,
  type LogLevel,
  type RateLimits,
  type RunningServer,
  type ServerOptions,
} from '@broadsheet/http';
export {
  BlogExists,
  type BlogRecord,
  type Clash,
  ContentClash,
  DatabaseTooNew,
  type ImportedBlog,
  type KeyRecord,
  NotOurs,
  openStore,
  type ServerStore,
  type StoreOptions,
} from '@broadsheet/store';
export { createServer } from './create-server.ts';
