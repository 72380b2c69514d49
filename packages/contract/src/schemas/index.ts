// The entry point for everything that needs the schema library. It is separate, since a bundler keeps the modules of one
// entry point together: the API itself reads by rules and loads none of this (decisions/0007).

export { type OpenApiDocument, type OpenApiOptions, openapi } from '../openapi.ts';
export {
  AdClickRequest,
  AdDeliveryRequest,
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdFormat,
  AdSlot,
  AdTrackingResult,
  FilledAd,
  UnfilledAd,
} from './ad.ts';
export { ErrorEnvelope, FieldError } from './error-envelope.ts';
export { Timestamp } from './fields.ts';
export { MESSAGES, type Message, PageQuery, PostsQuery, SearchQuery } from './messages.ts';
export { PageMeta, Pagination } from './pagination.ts';
export {
  Category,
  EmbeddedCategory,
  EmbeddedTag,
  Post,
  PostCount,
  PostStatus,
  PostSummary,
  Tag,
} from './post.ts';
export { SearchMeta, SearchResponse, SearchResultItem } from './search.ts';
export { validate } from './validate.ts';
