export type {
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdFormat,
  AdSlot,
  AdTrackingResult,
  FilledAd,
  UnfilledAd,
} from './ad.ts';
export type { AdOptions, Ads, BatchOptions, ClickOptions } from './ads.ts';
export type { Blog, OffsetOptions, PagedOptions } from './blog.ts';
export type { ResponseCache } from './cache.ts';
export { Call, type SafeResult, type WithMeta } from './call.ts';
export { createClient } from './create-client.ts';
export type { Drift } from './drift.ts';
export type { Attempt, BroadsheetErrorCode, ClientErrorCode, CodeOf, FieldError, Phase } from './error-facts.ts';
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
export { BroadsheetError, isBroadsheetError } from './errors.ts';
export type { Incoming } from './exchange.ts';
export type { Category, PostCount, Tag } from './label.ts';
export { List } from './list.ts';
export { type MemoryCache, type MemoryCacheOptions, memoryCache } from './memory-cache.ts';
export type {
  CallEvent,
  CallOptions,
  ClientOptions,
  FetchOptions,
  RetryOptions,
  ValidateMode,
} from './options.ts';
export { Page, type PageMeta } from './page.ts';
export type { Pagination } from './pagination.ts';
export type { AnswerInfo } from './perform.ts';
export type { Placement } from './placement.ts';
export type { EmbeddedCategory, EmbeddedTag, Post, PostStatus, PostSummary } from './post.ts';
export type { SearchMeta, SearchResultItem } from './search.ts';
export { tagsOf } from './tags.ts';
export type { Visitor } from './visitor.ts';
