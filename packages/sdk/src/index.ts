export { tagsOf } from '@broadsheet/contract';
export type { AdOptions, Ads, ClickOptions, DeliveredAd, Delivery, Placement, SlotDelivery } from './ads/ads.ts';
export type { NodeRequest, ProxyTrust, Visitor } from './ads/visitor.ts';
export type { Blog, OffsetOptions, PagedOptions } from './blog.ts';
export { type MemoryCache, type MemoryCacheOptions, memoryCache } from './cache/memory-cache.ts';
export { type CachedResponse, type ResponseCache, type ResponseStore, responseCache } from './cache/response-cache.ts';
export { Call } from './calls/call.ts';
export type { RequestOptions } from './calls/request.ts';
export { createClient } from './create-client.ts';
export type { EndpointId } from './endpoint-id.ts';
export type {
  ApiErrorCode,
  Attempt,
  BroadsheetErrorCode,
  ClientErrorCode,
  CodeOf,
  Phase,
} from './errors/error-facts.ts';
export {
  AbortError,
  ApiError,
  AuthenticationError,
  CallbackError,
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
} from './errors/error-kinds.ts';
export { BroadsheetError, isBroadsheetError } from './errors/errors.ts';
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
} from './generated/resources.ts';
export { List } from './lists/list.ts';
export { Page, type PageMeta } from './lists/page.ts';
export type {
  CallEvent,
  CallOptions,
  ClientOptions,
  Drift,
  FetchOptions,
  Logger,
  RetryOptions,
  ValidateMode,
} from './options.ts';
export type { Middleware, MiddlewareRequest } from './request/middleware.ts';
export type { Incoming, ResponseInfo, SafeResult, WithMeta } from './response/incoming.ts';
