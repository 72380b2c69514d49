import type { EndpointId } from '../endpoints.ts';
import { LIMITS } from '../limits.ts';
import { AD_FORMATS } from './enums.ts';
import {
  choice,
  digits,
  fallback,
  key,
  list,
  type OutputOf,
  optional,
  type RecordRule,
  record,
  term,
  text,
} from './rule.ts';

/** The rules for the requests of an endpoint. */
export interface RequestRules {
  readonly params?: RecordRule;
  readonly query?: RecordRule;
  readonly body?: RecordRule;
}

/** Query of `GET /public/posts` (api.md 4.1). */
const postsQuery = record({
  status: fallback(choice(['PUBLISHED']), 'PUBLISHED'),
  limit: digits(LIMITS.posts.limit),
  offset: digits(LIMITS.offset),
});

/** Query of the posts of a category or a tag (api.md 4.2, 4.3). */
const pageQuery = record({ page: digits(LIMITS.page), pageSize: digits(LIMITS.pageSize) });

/** Query of `GET /public/search` (api.md 4.4). */
const searchQuery = record({
  q: term(LIMITS.search.q),
  limit: digits(LIMITS.search.limit),
  offset: digits(LIMITS.offset),
});

/** A slot of a page that requests an ad. */
export const adSlot = record({ slotId: text(LIMITS.slotId), format: choice(AD_FORMATS) });

/** Query of both deliveries: the key with which one can be repeated safely. */
const deliveryQuery = record({ idempotencyKey: optional(key(LIMITS.idempotencyKey)) });

const byId = record({ id: text({ min: 1 }) });
const bySlug = record({ slug: text({ min: 1 }) });

/** The rules for every row of the endpoint table. */
export const REQUESTS = {
  'posts.list': { query: postsQuery },
  'posts.get': { params: byId },
  'posts.getBySlug': { params: bySlug },
  'categories.list': {},
  'categories.get': { params: byId },
  'categories.posts': { params: byId, query: pageQuery },
  'tags.list': {},
  'tags.get': { params: byId },
  'tags.posts': { params: byId, query: pageQuery },
  search: { query: searchQuery },
  'ads.deliver': { params: record({ format: choice(AD_FORMATS) }), query: deliveryQuery },
  /** A batch of slots (api.md 2, AdDeliveryRequest). */
  'ads.deliverBatch': { query: deliveryQuery, body: record({ slots: list(adSlot, LIMITS.slots) }) },
  /** A click to register, by the token that came with the ad (api.md 4.5). */
  'ads.click': { body: record({ clickToken: text({ min: 1 }) }) },
  'ads.impression': {},
  preview: {},
} as const satisfies Record<EndpointId, RequestRules>;

type Output<Id extends EndpointId, Part extends keyof RequestRules> = (typeof REQUESTS)[Id] extends {
  readonly [P in Part]: infer R extends RecordRule;
}
  ? OutputOf<R>
  : undefined;

/** The parameters of an endpoint's path once read, as a type. */
export type ParamsOf<Id extends EndpointId> = Output<Id, 'params'>;
/** The query of an endpoint once read, defaults filled in, as a type. */
export type QueryOf<Id extends EndpointId> = Output<Id, 'query'>;
/** The body of an endpoint once read, as a type. */
export type BodyOf<Id extends EndpointId> = Output<Id, 'body'>;
