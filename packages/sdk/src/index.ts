export type { AdOptions, Ads, BatchOptions, ClickOptions } from './ads.ts';
export type { ResponseCache } from './cache.ts';
export type { Call, SafeResult, WithMeta } from './call.ts';
export { type Blog, type CodeOf, createClient, type OffsetOptions, type PagedOptions } from './create-client.ts';
export type { Drift } from './drift.ts';
export {
  AbortError,
  ApiError,
  AuthenticationError,
  ConflictError,
  InputError,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RedirectError,
  ResponseError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './error-kinds.ts';
export {
  type Attempt,
  BroadsheetError,
  type BroadsheetErrorCode,
  type ClientErrorCode,
  isBroadsheetError,
  type Phase,
} from './errors.ts';
export type { Incoming } from './exchange.ts';
export type { List, SafePage } from './list.ts';
export { type MemoryCache, type MemoryCacheOptions, memoryCache } from './memory-cache.ts';
export type {
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdFormat,
  AdSlot,
  AdTrackingResult,
  Category,
  EmbeddedCategory,
  EmbeddedTag,
  FieldError,
  FilledAd,
  Pagination,
  Post,
  PostCount,
  PostStatus,
  PostSummary,
  SearchMeta,
  SearchResultItem,
  Tag,
  UnfilledAd,
} from './models.ts';
export type {
  CallEvent,
  CallOptions,
  ClientOptions,
  FetchOptions,
  RetryOptions,
  ValidateMode,
} from './options.ts';
export type { Page, PageMeta } from './page.ts';
export type { AnswerInfo } from './perform.ts';
export type { Placement } from './placement.ts';
export { tagsOf } from './tags.ts';
export type { Visitor } from './visitor.ts';
