// Generated from `shapes.ts` by `validators.test.ts`: `pnpm vitest -u` with that file writes it anew.
// Written out, since a loop over the fields of a shape takes six times as long. No code is generated at run time.

import type { EndpointId } from '@broadsheet/contract';

type Fields = Readonly<Record<string, unknown>>;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

const isInstant = (v: unknown): boolean => typeof v === 'string' && INSTANT.test(v);
export const isFields = (v: unknown): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v);
export const isList = (v: unknown, item: (v: unknown) => boolean): boolean => Array.isArray(v) && v.every(item);

const isPostsListCategories = (v: unknown): boolean =>
  isFields(v)
  && typeof v['id'] === 'string'
  && typeof v['name'] === 'string'
  && typeof v['description'] === 'string'
  && typeof v['blogId'] === 'string';

const isPostsListTags = (v: unknown): boolean =>
  isFields(v)
  && typeof v['id'] === 'string'
  && typeof v['name'] === 'string'
  && typeof v['blogId'] === 'string';

const isPostsList = (v: unknown): boolean =>
  isFields(v)
  && typeof v['id'] === 'string'
  && typeof v['title'] === 'string'
  && typeof v['subtitle'] === 'string'
  && typeof v['content'] === 'string'
  && typeof v['slug'] === 'string'
  && typeof v['status'] === 'string'
  && (v['publishedAt'] === null || isInstant(v['publishedAt']))
  && (v['scheduledAt'] === null || isInstant(v['scheduledAt']))
  && typeof v['blogId'] === 'string'
  && typeof v['authorId'] === 'string'
  && isInstant(v['createdAt'])
  && isInstant(v['updatedAt'])
  && isList(v['categories'], isPostsListCategories)
  && isList(v['tags'], isPostsListTags);

const isCategoriesListCount = (v: unknown): boolean =>
  isFields(v)
  && Number.isSafeInteger(v['posts']);

const isCategoriesList = (v: unknown): boolean =>
  isFields(v)
  && typeof v['id'] === 'string'
  && typeof v['name'] === 'string'
  && typeof v['blogId'] === 'string'
  && isInstant(v['createdAt'])
  && isInstant(v['updatedAt'])
  && isCategoriesListCount(v['_count'])
  && typeof v['description'] === 'string';

const isCategoriesPosts = (v: unknown): boolean =>
  isFields(v)
  && typeof v['id'] === 'string'
  && typeof v['title'] === 'string'
  && typeof v['slug'] === 'string'
  && typeof v['status'] === 'string'
  && (v['publishedAt'] === null || isInstant(v['publishedAt']))
  && (v['subtitle'] === undefined || typeof v['subtitle'] === 'string')
  && (v['content'] === undefined || typeof v['content'] === 'string')
  && (v['scheduledAt'] === undefined || (v['scheduledAt'] === null || isInstant(v['scheduledAt'])))
  && (v['blogId'] === undefined || typeof v['blogId'] === 'string')
  && (v['authorId'] === undefined || typeof v['authorId'] === 'string')
  && (v['createdAt'] === undefined || isInstant(v['createdAt']))
  && (v['updatedAt'] === undefined || isInstant(v['updatedAt']))
  && (v['categories'] === undefined || isList(v['categories'], isPostsListCategories))
  && (v['tags'] === undefined || isList(v['tags'], isPostsListTags));

const isTagsList = (v: unknown): boolean =>
  isFields(v)
  && typeof v['id'] === 'string'
  && typeof v['name'] === 'string'
  && typeof v['blogId'] === 'string'
  && isInstant(v['createdAt'])
  && isInstant(v['updatedAt'])
  && isCategoriesListCount(v['_count']);

const isSearchData = (v: unknown): boolean =>
  isFields(v)
  && typeof v['id'] === 'string'
  && typeof v['title'] === 'string'
  && (v['subtitle'] === null || typeof v['subtitle'] === 'string')
  && typeof v['slug'] === 'string'
  && (v['coverUrl'] === null || typeof v['coverUrl'] === 'string')
  && (v['publishedAt'] === null || isInstant(v['publishedAt']));

const isSearchMeta = (v: unknown): boolean =>
  isFields(v)
  && typeof v['q'] === 'string'
  && Number.isSafeInteger(v['limit'])
  && Number.isSafeInteger(v['offset'])
  && Number.isSafeInteger(v['count']);

const isSearch = (v: unknown): boolean =>
  isFields(v)
  && isList(v['data'], isSearchData)
  && isSearchMeta(v['meta']);

const isAdsDeliverCase0 = (v: unknown): boolean =>
  isFields(v)
  && v['filled'] === true
  && typeof v['id'] === 'string'
  && (v['imageUrl'] === undefined || (v['imageUrl'] === null || typeof v['imageUrl'] === 'string'))
  && (v['linkUrl'] === undefined || (v['linkUrl'] === null || typeof v['linkUrl'] === 'string'))
  && (v['title'] === undefined || (v['title'] === null || typeof v['title'] === 'string'))
  && (v['content'] === undefined || (v['content'] === null || typeof v['content'] === 'string'))
  && (v['linkText'] === undefined || (v['linkText'] === null || typeof v['linkText'] === 'string'))
  && typeof v['clickToken'] === 'string';

const isAdsDeliverCase1 = (v: unknown): boolean =>
  isFields(v)
  && v['filled'] === false;

const isAdsDeliver = (v: unknown): boolean =>
  isAdsDeliverCase0(v)
  || isAdsDeliverCase1(v);

const isAdsDeliverBatchCase0 = (v: unknown): boolean =>
  isFields(v)
  && typeof v['slotId'] === 'string'
  && typeof v['format'] === 'string'
  && v['filled'] === true
  && typeof v['id'] === 'string'
  && (v['imageUrl'] === undefined || (v['imageUrl'] === null || typeof v['imageUrl'] === 'string'))
  && (v['linkUrl'] === undefined || (v['linkUrl'] === null || typeof v['linkUrl'] === 'string'))
  && (v['title'] === undefined || (v['title'] === null || typeof v['title'] === 'string'))
  && (v['content'] === undefined || (v['content'] === null || typeof v['content'] === 'string'))
  && (v['linkText'] === undefined || (v['linkText'] === null || typeof v['linkText'] === 'string'))
  && typeof v['clickToken'] === 'string';

const isAdsDeliverBatchCase1 = (v: unknown): boolean =>
  isFields(v)
  && typeof v['slotId'] === 'string'
  && typeof v['format'] === 'string'
  && v['filled'] === false;

const isAdsDeliverBatch = (v: unknown): boolean =>
  isAdsDeliverBatchCase0(v)
  || isAdsDeliverBatchCase1(v);

const isAdsClick = (v: unknown): boolean =>
  isFields(v)
  && v['status'] === 'ok';

const isPageMetaPagination = (v: unknown): boolean =>
  isFields(v)
  && Number.isSafeInteger(v['page'])
  && Number.isSafeInteger(v['pageSize'])
  && Number.isSafeInteger(v['total'])
  && Number.isSafeInteger(v['totalPages'])
  && typeof v['hasNextPage'] === 'boolean'
  && typeof v['hasPrevPage'] === 'boolean';

const isPageMeta = (v: unknown): boolean =>
  isFields(v)
  && isPageMetaPagination(v['pagination']);

/** Whether the payload of an endpoint, or the meta of a list in pages, is what the contract says. */
export const VALIDATORS: Readonly<Record<EndpointId | 'meta', (v: unknown) => boolean>> = {
  'posts.list': (v) => isList(v, isPostsList),
  'posts.get': isPostsList,
  'posts.getBySlug': isPostsList,
  'categories.list': (v) => isList(v, isCategoriesList),
  'categories.get': isCategoriesList,
  'categories.posts': (v) => isList(v, isCategoriesPosts),
  'tags.list': (v) => isList(v, isTagsList),
  'tags.get': isTagsList,
  'tags.posts': (v) => isList(v, isCategoriesPosts),
  'search': isSearch,
  'ads.deliver': isAdsDeliver,
  'ads.deliverBatch': (v) => isList(v, isAdsDeliverBatch),
  'ads.click': isAdsClick,
  'ads.impression': isAdsClick,
  meta: isPageMeta,
};
