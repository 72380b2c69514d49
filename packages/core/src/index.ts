export { createApi } from './api.ts';
export { type Awaitable, isPromise } from './awaitable.ts';
export type { ApiOptions, BlogApi, Caller, Observation } from './blog-api.ts';
export { type Bytes, sizeOf } from './bytes.ts';
export { checkPosts } from './check-posts.ts';
export { decoded, Encoded, type Shown } from './encoded.ts';
export { type ApiAnswer, type ApiRequest, fromRequest } from './exchange.ts';
export { Failure } from './failure.ts';
export { fold } from './fold.ts';
export { createMemoryStore, type MemoryState, type MemoryStore } from './memory-store.ts';
export type { ClickClaims, Clock, Random, Tokens } from './ports.ts';
export { readBody, readParams, readQuery } from './request-input.ts';
export { CORS, failed, failureAnswer } from './respond.ts';
export {
  type Ad,
  type Blog,
  type Click,
  type ClickOutcome,
  type DayCount,
  type Range,
  type Slice,
  type Store,
  StoreUnavailable,
} from './store.ts';
