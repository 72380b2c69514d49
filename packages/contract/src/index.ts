export { accept, type Validated } from './accept.ts';
export type {
  AdClickRequest,
  AdDeliveryRequest,
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdSlot,
  AdTrackingResult,
} from './ad.ts';
export { AD_FORMATS, type AdFormat } from './ad-format.ts';
export type { Category } from './category.ts';
export {
  type Effect,
  ENDPOINT_IDS,
  ENDPOINTS,
  type Endpoint,
  type EndpointId,
  type FailureCode,
  type FailureStatus,
  type PaginationStyle,
} from './endpoints.ts';
export { ERROR_CODES, ERRORS, type ErrorCode, type ErrorKind } from './error-catalogue.ts';
export type { ErrorEnvelope, FieldError } from './error-envelope.ts';
export { REPAIRS } from './error-repairs.ts';
export { LIMITS } from './limits.ts';
export type { DataOf, MetaOf } from './messages.ts';
export type { OpenApiDocument, OpenApiOptions } from './openapi.ts';
export type { PageMeta, Pagination } from './pagination.ts';
export { buildPath, findRoute, type Route } from './path.ts';
export type { EmbeddedCategory, EmbeddedTag, Post, PostStatus, PostSummary } from './post.ts';
export { type BodyOf, type ParamsOf, type QueryOf, REQUESTS, type RequestRules } from './requests.ts';
export type { InputOf, OutputOf, RecordRule, Rule } from './rule.ts';
export type { SearchMeta, SearchResponse, SearchResultItem } from './search.ts';
export {
  Snapshot,
  SnapshotAd,
  SnapshotBlog,
  type SnapshotBlogInput,
  SnapshotCategory,
  type SnapshotInput,
  SnapshotPost,
  SnapshotTag,
} from './snapshot.ts';
export type { Tag } from './tag.ts';
