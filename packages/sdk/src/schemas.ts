/**
 * The zod schemas of the API's resources and requests, for forms, tests and JSON Schema. The client itself does not
 * load them, nor zod.
 *
 * @example
 * ```ts
 * import { Post } from '@broadsheet/sdk/schemas';
 *
 * const fixture = Post.parse(JSON.parse(text)); // throws what is wrong with it
 * ```
 *
 * @module
 */
export {
  AdClickRequest,
  AdDeliveryRequest,
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdFormat,
  AdSlot,
  AdTrackingResult,
  Category,
  EmbeddedCategory,
  EmbeddedTag,
  ErrorEnvelope,
  FieldError,
  PageMeta,
  PageQuery,
  Pagination,
  Post,
  PostCount,
  PostStatus,
  PostSummary,
  PostsQuery,
  SearchMeta,
  SearchQuery,
  SearchResponse,
  SearchResultItem,
  Tag,
  Timestamp,
} from '@broadsheet/contract/schemas';
