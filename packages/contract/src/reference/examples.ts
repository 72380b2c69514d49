import type { EndpointId } from '../endpoints.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { ErrorEnvelope } from '../schemas/error-envelope.ts';

const moment = '2026-01-31T09:00:00.000Z';
const category = { id: 'c1', name: 'Craft', description: 'How things are made', blogId: 'my-blog' };
const tag = { id: 't1', name: 'letterpress', blogId: 'my-blog' };
const times = { createdAt: moment, updatedAt: moment };
const post = {
  id: 'p1',
  title: 'Hello world',
  subtitle: 'The first of many',
  content: 'Set in **Caslon**, printed by hand.',
  slug: 'hello-world',
  status: 'PUBLISHED',
  publishedAt: moment,
  scheduledAt: null,
  blogId: 'my-blog',
  authorId: 'author-1',
  ...times,
  categories: [category],
  tags: [tag],
};
const summary = { id: 'p1', title: 'Hello world', slug: 'hello-world', status: 'PUBLISHED', publishedAt: moment };
const pagination = { page: 1, pageSize: 10, total: 1, totalPages: 1, hasNextPage: false, hasPrevPage: false };
const clickToken = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJwdXJwb3NlIjoiYWQtY2xpY2sifQ.c2lnbmF0dXJl';
const ad = {
  filled: true,
  id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  imageUrl: null,
  linkUrl: 'https://sponsor.example/',
  title: 'Ink by the litre',
  content: 'Black, and only black.',
  linkText: 'Order a can',
  clickToken,
};
const success = (data: unknown, meta?: unknown) => ({ success: true, data, ...(meta ? { meta } : {}) });

/** A success of each endpoint, as it is answered. */
export const ANSWERS: Readonly<Record<EndpointId, unknown>> = {
  'posts.list': success([post]),
  'posts.get': success(post),
  'posts.getBySlug': success(post),
  'categories.list': success([{ ...category, ...times, _count: { posts: 1 } }]),
  'categories.get': success({ ...category, ...times, _count: { posts: 1 } }),
  'categories.posts': success([summary], { pagination }),
  'tags.list': success([{ ...tag, ...times, _count: { posts: 1 } }]),
  'tags.get': success({ ...tag, ...times, _count: { posts: 1 } }),
  'tags.posts': success([summary], { pagination }),
  search: success({
    data: [
      {
        id: 'p1',
        title: 'Hello letterpress',
        subtitle: 'The first of many',
        slug: 'hello-letterpress',
        coverUrl: null,
        publishedAt: moment,
      },
    ],
    meta: { q: 'letterpress', limit: 10, offset: 0, count: 1 },
  }),
  'ads.deliver': ad,
  'ads.deliverBatch': [
    { slotId: 'top', format: 'BANNER', ...ad },
    { slotId: 'side', format: 'SIDEBAR', filled: false },
  ],
  'ads.click': { status: 'ok' },
  'ads.impression': { status: 'ok' },
};

/** A body for each endpoint that takes one. */
export const BODIES: Readonly<Partial<Record<EndpointId, unknown>>> = {
  'ads.deliverBatch': {
    slots: [
      { slotId: 'top', format: 'BANNER' },
      { slotId: 'side', format: 'SIDEBAR' },
    ],
  },
  'ads.click': { clickToken },
};

/** A failure as it is answered. */
export function errorExample(code: ErrorCode, docsUrl = 'https://blog.example'): ErrorEnvelope {
  const { status, type, retryable, summary: message } = ERRORS[code];
  const fields = [{ field: 'limit', message: 'limit: must be at most 100', code: 'too_big' }];
  return {
    success: false,
    error: {
      message,
      code,
      type,
      statusCode: status,
      retryable,
      ...(code === 'VALIDATION_ERROR' && { details: { fields } }),
      requestId: 'req_7c9e6679-7425-40de-944b-e07fc1f90ae7',
      docs: `${docsUrl}/errors/${code}`,
    },
  };
}
