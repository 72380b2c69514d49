import type { ENDPOINTS } from '../endpoints.ts';

/**
 * The tags under which a cache knows a read, from wide to narrow. A webhook uses the same function to remove outdated
 * responses.
 *
 * @example
 * ```ts
 * for (const tag of tagsOf('posts.get', { id })) revalidateTag(tag, 'max'); // 'posts', 'post:<id>'
 * ```
 */
export function tagsOf(
  endpoint: keyof typeof ENDPOINTS | 'request',
  params: Readonly<Record<string, string>> = {},
): string[] {
  const [resource = '', verb = ''] = endpoint.split('.');
  if (resource === 'search') return ['posts', 'search'];
  const one = { posts: 'post', categories: 'category', tags: 'tag' }[resource];
  if (!one) return [];
  if (verb === 'list') return [resource];
  if (verb === 'getBySlug') return [resource, `post:slug:${params['slug']}`];
  const narrow = `${one}:${params['id']}`;
  return verb === 'posts' ? ['posts', narrow, `${narrow}:posts`] : [resource, narrow];
}
