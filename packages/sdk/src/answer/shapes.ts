import type { EndpointId } from '@broadsheet/contract';

/** A leaf; `?` after it lets it be null. */
export type Kind = 'string' | 'instant' | 'integer' | 'boolean' | 'ok' | 'true' | 'false';

/**
 * The least an answer must be. `?` after a field lets it be absent; unknown fields and unknown values of
 * enumerations always pass, since a newer server may send them.
 */
export type Shape =
  | Kind
  | `${Kind}?`
  | readonly [Shape]
  | { readonly on: string; readonly cases: Readonly<Record<string, Shape>> }
  | { readonly [field: string]: Shape };

// The shapes of the answers, without the schema library. `shapes.test.ts` derives them from the contract's schemas
// and compares: when the contract changes, its message shows what to write here.

const fullPost = {
  id: 'string',
  title: 'string',
  subtitle: 'string',
  content: 'string',
  slug: 'string',
  status: 'string',
  publishedAt: 'instant?',
  scheduledAt: 'instant?',
  blogId: 'string',
  authorId: 'string',
  createdAt: 'instant',
  updatedAt: 'instant',
  categories: [{ id: 'string', name: 'string', description: 'string', blogId: 'string' }],
  tags: [{ id: 'string', name: 'string', blogId: 'string' }],
} as const satisfies Shape;

const postSummary = {
  id: 'string',
  title: 'string',
  slug: 'string',
  status: 'string',
  publishedAt: 'instant?',
  'subtitle?': 'string',
  'content?': 'string',
  'scheduledAt?': 'instant?',
  'blogId?': 'string',
  'authorId?': 'string',
  'createdAt?': 'instant',
  'updatedAt?': 'instant',
  'categories?': fullPost.categories,
  'tags?': fullPost.tags,
} as const satisfies Shape;

const tag = {
  id: 'string',
  name: 'string',
  blogId: 'string',
  createdAt: 'instant',
  updatedAt: 'instant',
  _count: { posts: 'integer' },
} as const satisfies Shape;

const category = { ...tag, description: 'string' } as const satisfies Shape;

const found = {
  id: 'string',
  title: 'string',
  subtitle: 'string?',
  slug: 'string',
  coverUrl: 'string?',
  publishedAt: 'instant?',
} as const satisfies Shape;

const filled = {
  filled: 'true',
  id: 'string',
  'imageUrl?': 'string?',
  'linkUrl?': 'string?',
  'title?': 'string?',
  'content?': 'string?',
  'linkText?': 'string?',
  clickToken: 'string',
} as const satisfies Shape;

const slot = { slotId: 'string', format: 'string' } as const satisfies Shape;
const tracked = { status: 'ok' } as const satisfies Shape;

/** The shape of `meta` of a list in pages. */
export const PAGE_META = {
  pagination: {
    page: 'integer',
    pageSize: 'integer',
    total: 'integer',
    totalPages: 'integer',
    hasNextPage: 'boolean',
    hasPrevPage: 'boolean',
  },
} as const satisfies Shape;

/** The shape of the payload of every endpoint. */
export const SHAPES: Readonly<Record<EndpointId, Shape>> = {
  'posts.list': [fullPost],
  'posts.get': fullPost,
  'posts.getBySlug': fullPost,
  'categories.list': [category],
  'categories.get': category,
  'categories.posts': [postSummary],
  'tags.list': [tag],
  'tags.get': tag,
  'tags.posts': [postSummary],
  search: { data: [found], meta: { q: 'string', limit: 'integer', offset: 'integer', count: 'integer' } },
  'ads.deliver': { on: 'filled', cases: { true: filled, false: { filled: 'false' } } },
  'ads.deliverBatch': [{ on: 'filled', cases: { true: { ...slot, ...filled }, false: { ...slot, filled: 'false' } } }],
  'ads.click': tracked,
  'ads.impression': tracked,
};
