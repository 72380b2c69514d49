import * as z from 'zod/mini';
import type { EndpointId } from '../endpoints.ts';
import { REQUESTS } from '../rules/requests.ts';
import { AdClickRequest, AdDeliveryRequest, AdDeliveryResult, AdDeliverySlotResult, AdTrackingResult } from './ad.ts';
import { PageMeta } from './pagination.ts';
import { Category, Post, PostSummary, Tag } from './post.ts';
import { schemaOf } from './schema-of.ts';
import { SearchResponse } from './search.ts';

/** The schemas of an endpoint: of its request and of a successful response. */
export interface Message {
  readonly params?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
  /** The payload: `data` of the envelope, or the whole body of a bare response. */
  readonly data: z.ZodMiniType;
  /** `meta` of the envelope. */
  readonly meta?: z.ZodMiniType;
}

/** Query of `GET /public/posts` (api.md 4.1). */
export const PostsQuery = schemaOf(REQUESTS['posts.list'].query);

/** Query of the posts of a category or a tag (api.md 4.2, 4.3). */
export const PageQuery = schemaOf(REQUESTS['tags.posts'].query);

/** Query of `GET /public/search` (api.md 4.4). */
export const SearchQuery = schemaOf(REQUESTS.search.query);

const Id = schemaOf(REQUESTS['posts.get'].params);
const Slug = schemaOf(REQUESTS['posts.getBySlug'].params);
const Format = schemaOf(REQUESTS['ads.deliver'].params);
const DeliveryQuery = schemaOf(REQUESTS['ads.deliver'].query);

/** The schemas of every row of the endpoint table. */
export const MESSAGES = {
  'posts.list': { query: PostsQuery, data: z.array(Post) },
  'posts.get': { params: Id, data: Post },
  'posts.getBySlug': { params: Slug, data: Post },
  'categories.list': { data: z.array(Category) },
  'categories.get': { params: Id, data: Category },
  'categories.posts': { params: Id, query: PageQuery, data: z.array(PostSummary), meta: PageMeta },
  'tags.list': { data: z.array(Tag) },
  'tags.get': { params: Id, data: Tag },
  'tags.posts': { params: Id, query: PageQuery, data: z.array(PostSummary), meta: PageMeta },
  search: { query: SearchQuery, data: SearchResponse },
  'ads.deliver': { params: Format, query: DeliveryQuery, data: AdDeliveryResult },
  'ads.deliverBatch': { query: DeliveryQuery, body: AdDeliveryRequest, data: z.array(AdDeliverySlotResult) },
  'ads.click': { body: AdClickRequest, data: AdTrackingResult },
  'ads.impression': { data: AdTrackingResult },
  preview: { data: Post },
} as const satisfies Record<EndpointId, Message>;

/** `meta` of an endpoint's success, as a type. */
export type MetaOf<Id extends EndpointId> = (typeof MESSAGES)[Id] extends {
  readonly meta: infer S extends z.ZodMiniType;
}
  ? z.output<S>
  : undefined;
/** The payload of an endpoint's success, as a type. */
export type DataOf<Id extends EndpointId> = z.infer<(typeof MESSAGES)[Id]['data']>;
