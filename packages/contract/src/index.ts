export {
  type Effect,
  ENDPOINT_IDS,
  ENDPOINTS,
  type Endpoint,
  type EndpointId,
  type PaginationStyle,
} from './endpoints.ts';
export { errorText, REPAIRS } from './error-repairs.ts';
export { ERROR_CODES, ERRORS, type ErrorCode, type ErrorKind, errorEnvelope } from './errors.ts';
export type { FailureCode, FailureStatus } from './failures.ts';
export { LIMITS } from './limits.ts';
export type { OpenApiDocument, OpenApiOptions } from './openapi.ts';
export { buildPath, findRoute, type Route, withoutTrailingSlashes } from './path.ts';
export { accept, type Partly, type Validated } from './rules/accept.ts';
export { tagsOf, tagsOfRead } from './rules/cache-tags.ts';
export { isDomain } from './rules/domain.ts';
export { AD_FORMATS, type AdFormat, CAMPAIGN_KINDS, CAMPAIGN_PACES } from './rules/enums.ts';
export { type BodyOf, type ParamsOf, type QueryOf, REQUESTS, type RequestRules } from './rules/requests.ts';
export {
  address,
  choice,
  defaultsOf,
  digits,
  fallback,
  flag,
  type InputOf,
  id,
  integer,
  line,
  list,
  name,
  nullable,
  type OutputOf,
  optional,
  paragraph,
  type RecordRule,
  type Rule,
  record,
  strictRecord,
  text,
  timestamp,
  zone,
} from './rules/rule.ts';
export {
  AD_TEXTS,
  Publisher,
  Snapshot,
  SnapshotAd,
  SnapshotBlog,
  type SnapshotBlogInput,
  SnapshotCampaign,
  SnapshotCategory,
  type SnapshotInput,
  SnapshotPost,
  SnapshotTag,
} from './rules/snapshot.ts';
export { SourceBlog, type SourceBlogInput, type SourceFile, type SourcePostInput } from './rules/source.ts';
export { isTimeZone } from './rules/time-zone.ts';
export {
  signedContent,
  tagsOfLabel,
  tagsOfPost,
  WEBHOOK_HEADERS,
  WEBHOOK_SECRET_PREFIX,
  WEBHOOK_TOLERANCE,
  WEBHOOK_TYPES,
  type WebhookEvent,
  type WebhookType,
} from './rules/webhooks.ts';
export type { FieldError } from './rules/wording.ts';
export type {
  AdClickRequest,
  AdDeliveryRequest,
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdSlot,
  AdTrackingResult,
} from './schemas/ad.ts';
export type { ErrorEnvelope } from './schemas/error-envelope.ts';
export type { DataOf, MetaOf } from './schemas/messages.ts';
export type { PageMeta, Pagination } from './schemas/pagination.ts';
export type { Category, EmbeddedCategory, EmbeddedTag, Post, PostStatus, PostSummary, Tag } from './schemas/post.ts';
export type { SearchMeta, SearchResponse, SearchResultItem } from './schemas/search.ts';
