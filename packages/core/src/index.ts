export { createApi } from './api.ts';
export { type Awaitable, isPromise } from './awaitable.ts';
export type { ApiOptions, BlogApi, Caller, Observation } from './blog-api.ts';
export { checkPosts } from './content/check-posts.ts';
export { fold } from './content/fold.ts';
export { type Bytes, sizeOf } from './http/bytes.ts';
export { decoded, Encoded, type Shown } from './http/encoded.ts';
export { type ApiAnswer, type ApiRequest, fromRequest } from './http/exchange.ts';
export { Failure } from './http/failure.ts';
export { readBody, readParams, readQuery } from './http/request-input.ts';
export { CORS, failed, failureAnswer } from './http/respond.ts';
export { createMemoryStore, type MemoryState, type MemoryStore } from './memory/memory-store.ts';
export type { ClickClaims, Clock, Random, Tokens } from './ports.ts';
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
