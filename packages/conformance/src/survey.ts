import { AD_FORMATS, type Category, type Post, type SearchResultItem, type Tag } from '@broadsheet/contract';
import { equal } from './expect.ts';
import { send } from './send.ts';
import { read, readSearch } from './success.ts';
import { type Target, Unchecked } from './target.ts';

const BATCH = 100;
/** A larger blog is not read completely, because the cases that compare all its posts would take minutes. */
const MAX_ITEMS = 5000;

const surveys = new WeakMap<Target, ReturnType<typeof readBlog>>();

/** Reads the lists of a blog, once. The cases that work on any blog compare responses with them. */
export const survey = (target: Target): ReturnType<typeof readBlog> => once(surveys, target, readBlog);

/** Creates a value once per target. If that fails, the next case tries again. */
export function once<T>(
  made: WeakMap<Target, Promise<T>>,
  target: Target,
  make: (target: Target) => Promise<T>,
): Promise<T> {
  const found = made.get(target) ?? make(target);
  made.set(target, found);
  found.catch(() => made.delete(target));
  return found;
}

async function readBlog(target: Target) {
  return {
    posts: await readPosts(target, BATCH),
    categories: await read<Category[]>(target, '/public/categories'),
    tags: await read<Tag[]>(target, '/public/tags'),
  };
}

/** All posts, read `limit` at a time. */
export const readPosts = (target: Target, limit: number): Promise<readonly Post[]> =>
  readBatches(limit, (offset) => read<Post[]>(target, `/public/posts?limit=${limit}&offset=${offset}`));

/** Reads a list until a batch is not full or repeats the first one. */
async function readBatches<T extends { readonly id: string }>(
  limit: number,
  readFrom: (offset: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const items: T[] = [];
  for (let batch = limit; batch === limit; ) {
    if (items.length >= MAX_ITEMS) throw new Unchecked(`the blog has more than ${MAX_ITEMS} posts`);
    const next = await readFrom(items.length);
    if (next[0] && next[0].id === items[0]?.id) break;
    batch = next.length;
    items.push(...next);
  }
  return items;
}

/** The ids of a list. */
export const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

/** The posts of a survey; a blog without any has nothing to check. */
export async function somePosts(target: Target): Promise<readonly Post[]> {
  const { posts } = await survey(target);
  if (posts.length === 0) throw new Unchecked('the blog has no posts');
  return posts;
}

/** At most `count` items, spread evenly over the list and including the first and the last. */
export function spread<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, (items.length - 1) / (count - 1));
  const places = Array.from({ length: Math.min(count, items.length) }, (_, index) => Math.round(index * step));
  return places.flatMap((place) => items.slice(place, place + 1));
}

/** Items spread over a list, and those whose id, slug or texts need escaping in a URL or in HTML. */
export function telling<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  const texts = ({ id, slug, title, subtitle }: Partial<Post>) => [id, slug, title, subtitle].join('');
  const odd = items.filter((item) => /[^\p{L}\p{N}\s.,:!?-]/u.test(texts(item)));
  return [...new Set([...spread(items, 60), ...spread(odd, 20)])];
}

/** Checks that an item has the same values in a response as in `found`. */
export function agree(item: { readonly id: string }, found: readonly { readonly id: string }[], at: string): void {
  const whole = found.find(({ id }) => id === item.id);
  for (const [name, value] of Object.entries(whole ?? {})) {
    if (Object.hasOwn(item, name)) equal(item[name as 'id'], value, `${at}: ${name} of ${item.id}`);
  }
}

/** Strings that differ slightly from an id or slug. A lookup that finds the item by one of them is not exact. */
export function near(text: string): string[] {
  const wildcards = ['%', '_', '*', '?'].map((sign) => text.slice(0, -1) + sign);
  const forms = [text.toUpperCase(), text.toLowerCase(), text.normalize('NFC'), text.normalize('NFD')];
  // Detects a server that decodes the path twice.
  const encoded = text.replace(/[a-z\d]/i, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return [...forms, ...wildcards, encoded, `${text}x`, ` ${text}`, `${text} `, text.slice(0, -1), '%'];
}

/** Sorts posts as the API does: newest first, nulls last, ties by id descending. */
export function inOrder<T extends { readonly id: string; readonly publishedAt: string | null }>(
  posts: readonly T[],
): T[] {
  const key = ({ id, publishedAt }: T) => `${publishedAt ? new Date(publishedAt).toISOString() : ''} ${id}`;
  return [...posts].sort((one, two) => (key(one) < key(two) ? 1 : -1));
}

/** A text as search compares it: without case and accents. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');

/** Everything a search finds, page by page. */
export const searchAll = (target: Target, q: string, limit = 50): Promise<readonly SearchResultItem[]> =>
  readBatches(limit, async (offset) => {
    const { data, meta } = await readSearch(target, `q=${encodeURIComponent(q)}&limit=${limit}&offset=${offset}`);
    equal(meta.q, q, 'meta.q');
    return data;
  });

const formats = new WeakMap<Target, Promise<string>>();

/** A format for which the blog delivers an ad. The first call records an impression. */
export function filledFormat(target: Target): Promise<string> {
  return once(formats, target, () => findFilledFormat(target, AD_FORMATS));
}

/** The first of some formats for which the blog delivers an ad. Each call records impressions. */
export async function findFilledFormat(target: Target, candidates: readonly string[]): Promise<string> {
  for (const format of candidates) {
    const { text } = await send(target, `/public/ads/formats/${format}`);
    if (text.includes('"clickToken"')) return format;
  }
  throw new Unchecked('the blog delivers no ad of any format');
}
