import type { Blog } from '@broadsheet/sdk';
import type { SitePage } from './layout.ts';
import { front } from './pages/front.ts';
import { category, tag } from './pages/listing.ts';
import { notice } from './pages/notice.ts';
import { post } from './pages/post.ts';
import { search } from './pages/search.ts';
import { sponsor } from './pages/sponsor.ts';

/** Whether a path belongs to the site. */
export const isPage = (path: string): boolean => /^\/(?:(?:posts|categories|tags|sponsors)\/[^/]+|search)?$/.test(path);

/** The page at a URL, or a notice if its content does not exist or cannot be loaded. */
export async function loadPage(blog: Blog, name: string, { pathname, searchParams }: URL): Promise<SitePage> {
  const number = (field: string, least: number): number =>
    Math.max(least, Math.trunc(Number(searchParams.get(field))) || 0);
  const [, kind, segment = ''] = pathname.split('/');
  const word = decoded(segment);
  try {
    switch (kind) {
      case 'posts':
        return await post(blog, word);
      case 'categories':
        return await category(blog, word, number('page', 1));
      case 'tags':
        return await tag(blog, word, number('page', 1));
      case 'search':
        return await search(blog, searchParams.get('q') ?? '', number('offset', 0));
      case 'sponsors':
        return sponsor(word);
      default:
        return await front(blog, name, number('offset', 0));
    }
  } catch (error) {
    return notice(error);
  }
}

/** A malformed escape is taken literally; no id or slug contains one. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
