// The door to everything that needs the schema library. It stands apart because a bundler keeps what is behind one door
// together: the API itself reads by rules and loads none of this (decisions/0007).
export {
  AdClickRequest,
  AdDeliveryRequest,
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdFormat,
  AdSlot,
  AdTrackingResult,
} from './ad.ts';
export { Category, PostCount } from './category.ts';
export { ErrorEnvelope, FieldError } from './error-envelope.ts';
export { validate } from './field-errors.ts';
export { MESSAGES, type Message } from './messages.ts';
export { type OpenApiDocument, type OpenApiOptions, openapi } from './openapi.ts';
export { PageMeta, Pagination } from './pagination.ts';
export { EmbeddedCategory, EmbeddedTag, Post, PostStatus, PostSummary } from './post.ts';
export { PageQuery, PostsQuery, SearchQuery } from './query.ts';
export { SearchMeta, SearchResponse, SearchResultItem } from './search.ts';
export { Tag } from './tag.ts';
export { Timestamp } from './timestamp.ts';
