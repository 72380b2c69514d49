export {
  AD_FORMATS,
  AdClickRequest,
  AdDeliveryRequest,
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdFormat,
  AdSlot,
  AdTrackingResult,
} from './ad.ts';
export { Category, PostCount } from './category.ts';
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
export { ErrorEnvelope, FieldError } from './error-envelope.ts';
export { fieldErrors, type Validated, validate } from './field-errors.ts';
export { LIMITS } from './limits.ts';
export {
  type BodyOf,
  type DataOf,
  MESSAGES,
  type Message,
  type MetaOf,
  type ParamsOf,
  type QueryOf,
} from './messages.ts';
export { type OpenApiDocument, type OpenApiOptions, openapi } from './openapi.ts';
export { PageMeta, Pagination } from './pagination.ts';
export { buildPath, findRoute, methodsOf, type Route } from './path.ts';
export { EmbeddedCategory, EmbeddedTag, Post, PostStatus, PostSummary } from './post.ts';
export { normalizeTerm, PageQuery, PostsQuery, SearchQuery } from './query.ts';
export { SearchMeta, SearchResponse, SearchResultItem } from './search.ts';
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
export { Tag } from './tag.ts';
export { Timestamp } from './timestamp.ts';
