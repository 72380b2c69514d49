export {
  createLog,
  type Logger,
  type LogLevel,
  type RateLimits,
  type RunningServer,
  type TrustedProxies,
} from '@broadsheet/http';
export type { ServerStore } from '@broadsheet/management';
export type { StoreOptions } from '@broadsheet/management/node';
export { openStore } from '@broadsheet/management/node';
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
export { createServer, type ServerOptions } from './create-server.ts';
