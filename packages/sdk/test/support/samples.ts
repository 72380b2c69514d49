import type { Category, FilledAd, Post } from '../../src/index.ts';

const moment = '2026-01-31T09:00:00.000Z';

/** A post with every field. */
export function samplePost(id: string, more: Partial<Post> = {}): Post {
  return {
    id,
    title: `Post ${id}`,
    subtitle: '',
    content: '<p>Body</p>',
    slug: `post-${id}`,
    status: 'PUBLISHED',
    publishedAt: moment,
    scheduledAt: null,
    blogId: 'blog',
    authorId: 'author',
    createdAt: moment,
    updatedAt: moment,
    categories: [{ id: 'c', name: 'C', description: '', blogId: 'blog' }],
    tags: [{ id: 't', name: 'T', blogId: 'blog' }],
    ...more,
  };
}

/** The posts from `from` to `to`, excluding `to`. */
export const samplePosts = (from: number, to: number): Post[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => samplePost(String(from + index)));

/** A category with every field. */
export const sampleCategory: Category = {
  id: 'c',
  name: 'C',
  description: '',
  blogId: 'blog',
  createdAt: moment,
  updatedAt: moment,
  _count: { posts: 3 },
};

/** A click token with the given lifetime, in seconds since the epoch. Its signature is not checked here. */
export function sampleToken(iat: number, exp: number, jti = '1'): string {
  const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'HS256' })}.${encode({ purpose: 'ad-click', iat, exp, jti })}.sig`;
}

/** A delivered ad whose token was issued now. */
export function sampleAd(jti = '1'): FilledAd {
  const now = Math.floor(Date.now() / 1000);
  return {
    filled: true,
    id: '0b6f1f6e-4a53-4f0c-9a8e-0c1f4b0f7f11',
    imageUrl: null,
    linkUrl: 'https://shop.example',
    clickToken: sampleToken(now, now + 600, jti),
  };
}
