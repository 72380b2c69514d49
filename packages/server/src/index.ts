export {
  createLog,
  type Logger,
  type LogLevel,
  type RateLimits,
  type RunningServer,
  type TrustedProxies,
} from '@broadsheet/http';
export type { SqlStore } from '@broadsheet/store';
export {
  BlogExists,
  type BlogRecord,
  type Clash,
  ContentClash,
  DatabaseTooNew,
  type ImportedBlog,
  type KeyRecord,
  NotOurs,
} from '@broadsheet/store';
export type { StoreOptions } from '@broadsheet/store/node';
export { openStore } from '@broadsheet/store/node';
export { createServer, type ServerOptions } from './create-server.ts';
