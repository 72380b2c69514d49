import type { SourceFile } from '@broadsheet/contract';
import type { PostOutline } from '@broadsheet/core';
import { type Clash, ContentClash } from '../blogs/clashes.ts';
import type { Tables } from '../tables.ts';

export type StoredUrl = Pick<Tables['posts'], 'id' | 'slug' | 'status'>;

/**
 * A reader may have kept the URL of a published post, and another site may link to it.
 *
 * @param posts the posts of the source with their final slugs
 * @throws ContentClash when a published post would get another URL
 */
export function requireUrls(
  blogId: string,
  posts: readonly PostOutline[],
  stored: ReadonlyMap<string, StoredUrl>,
): void {
  const moved = posts.filter(({ id, slug, status }) => {
    const before = stored.get(id);
    return before?.status === 'PUBLISHED' && status === 'PUBLISHED' && before.slug !== slug;
  });
  if (moved.length === 0) return;
  const byId = new Map(posts.map((post) => [post.id, post]));
  const bySlug = new Map(posts.map((post) => [post.slug, post]));
  const holders = new Map([...stored.values()].map(({ id, slug }) => [slug, byId.get(id) ?? { id }]));
  throw new ContentClash(
    moved.map(({ id, slug, title, file }): Clash => {
      const old = stored.get(id)?.slug ?? '';
      const holder = nameOf(holders.get(slug));
      const taker = nameOf(bySlug.get(old));
      const message = [
        `is published as "${old}" and would move to "${slug}"`,
        ...(holder ? [`which is the slug of ${holder} now`] : []),
        ...(taker ? [`and ${taker} would get "${old}"`] : []),
      ].join(', ');
      const post = { id, title, ...(file && { file: file.path }) };
      return { code: 'URL_MOVED', blogId, post, message: `${message}; give it the slug "${old}" to keep its URL` };
    }),
  );
}

function nameOf(post: { readonly id: string; readonly file?: SourceFile | undefined } | undefined): string | undefined {
  return post && (post.file?.path ?? `the post ${post.id}`);
}
