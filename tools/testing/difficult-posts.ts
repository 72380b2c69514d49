import type { World } from '../../packages/mock-server/src/index.ts';

/** Slugs with every kind of character that the API allows and that URLs, HTML or file names treat in a special way. */
const SLUGS = [
  '100%',
  '100%25',
  'a%20b%2Fc',
  'ünï/slug with space+plus%percent',
  '?a=b&c#d;e:f,g@h$i!j~k',
  `quotes ' " and (round) [square] {curly} <angle>`,
  'back\\slash|pipe^caret`tick*star',
  '日本語 🎉 e\u0301',
  '.hidden.html',
];

/** A post whose slug must be encoded in a URL, and whose title must be escaped in HTML. */
export interface DifficultPost {
  readonly slug: string;
  readonly title: string;
}

/** Publishes posts with difficult slugs as the newest ones of a world, which a site shows in its first list. */
export function putDifficultPosts(world: World): void {
  const posts = SLUGS.map((slug, index) => ({ slug, title: `Difficult ${index} & <b>"quoted"</b> 100% %20` }));
  const publishedAt = new Date(world.clock.now()).toISOString();
  world.put({
    posts: posts.map((post, index) => ({
      id: `difficult-${index}`,
      ...post,
      status: 'PUBLISHED' as const,
      publishedAt,
    })),
  });
}

/** The posts that {@link putDifficultPosts} has published. @throws Error if it was not called */
export function difficultPostsOf(world: World): readonly DifficultPost[] {
  const posts = (world.blog.posts ?? []).filter(({ id }) => id.startsWith('difficult-'));
  if (posts.length !== SLUGS.length) throw new Error('put the difficult posts before the site reads its first list');
  return posts;
}

/** The text that HTML stands for, with its tags. */
export const unescapeHtml = (html: string): string =>
  html
    .replace(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex?: string, decimal?: string) =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(
      /&(lt|gt|quot|apos|amp);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '&',
    );
