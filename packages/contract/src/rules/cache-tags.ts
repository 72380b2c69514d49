import type { ENDPOINTS } from '../endpoints.ts';

/**
 * The tags under which a cache knows a read, from wide to narrow. A webhook uses the same function to remove outdated
 * responses.
 *
 * @param shown for a read of one post, the result: its tags are then the tags of the items that the post shows,
 * including its labels, and a change of another post does not affect it
 * @example
 * ```ts
 * for (const tag of tagsOf('posts.get', { id })) revalidateTag(tag, 'max'); // 'posts', 'post:<id>'
 * const post = await blog.posts.get(id);
 * tagsOf('posts.get', { id }, { post }); // 'post:<id>', 'category:<id>:posts', 'tag:<id>:posts'
 * ```
 */
export function tagsOf(
  endpoint: keyof typeof ENDPOINTS | 'request',
  params: Readonly<Record<string, string>> = {},
  shown?: {
    readonly post:
      | {
          readonly id: string;
          readonly categories: readonly { readonly id: string }[];
          readonly tags: readonly { readonly id: string }[];
        }
      | undefined;
  },
): string[] {
  const tags = tagsOfRead(endpoint, params);
  if (!shown) return tags;
  const { id, categories = [], tags: labels = [] } = shown.post ?? {};
  return [
    ...new Set([
      ...tags.slice(1),
      ...(id === undefined ? [] : [`post:${id}`]),
      // A change of a label concerns all posts that have it.
      ...categories.map((category) => `category:${category.id}:posts`),
      ...labels.map((label) => `tag:${label.id}:posts`),
    ]),
  ];
}

/** The tags of a read whose result is not known: the part of {@link tagsOf} that a client needs. */
export function tagsOfRead(
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
