import type { Post } from '@broadsheet/sdk';

/** The description of the site in a feed. */
export interface Site {
  readonly title: string;
  readonly url: string;
}

type Entry = Pick<Post, 'title' | 'subtitle' | 'slug' | 'publishedAt' | 'updatedAt'>;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// XML 1.0 cannot carry most control characters, even escaped.
const text = (value: string): string =>
  value
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');

const addressOf = (site: Site, { slug }: Entry): string => text(`${site.url}/${encodeURIComponent(slug)}`);

/** An RSS 2.0 feed of posts. */
export async function toFeed(posts: AsyncIterable<Entry> | Iterable<Entry>, site: Site): Promise<string> {
  let items = '';
  for await (const post of posts) {
    const url = addressOf(site, post);
    const date = post.publishedAt === null ? '' : `<pubDate>${new Date(post.publishedAt).toUTCString()}</pubDate>`;
    items += `<item><title>${text(post.title)}</title><link>${url}</link><guid>${url}</guid>${date}`;
    items += `<description>${text(post.subtitle)}</description></item>\n`;
  }
  const channel = `<title>${text(site.title)}</title><link>${text(site.url)}</link><description/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>${channel}\n${items}</channel></rss>\n`;
}

/** A sitemap of posts; one file may list 50,000 of them. */
export async function toSitemap(posts: AsyncIterable<Entry> | Iterable<Entry>, site: Site): Promise<string> {
  let urls = '';
  for await (const post of posts)
    urls += `<url><loc>${addressOf(site, post)}</loc><lastmod>${post.updatedAt}</lastmod></url>\n`;
  const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${schema}">\n${urls}</urlset>\n`;
}
