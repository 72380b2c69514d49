import { AD_FORMATS } from '@broadsheet/contract';
import { equal } from './expect.ts';
import { send } from './send.ts';
import { type Found, read, readSearch } from './success.ts';
import { type Target, Unchecked } from './target.ts';

/** A post, as far as the cases that work on any blog look at it. */
export interface SurveyedPost {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly content: string;
  readonly slug: string;
  readonly publishedAt: string | null;
  readonly categories: readonly SurveyedLabel[];
  readonly tags: readonly SurveyedLabel[];
}

/** A category or a tag. */
export interface SurveyedLabel {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

/** The blog of a target as its lists show it: what the cases that work on any blog are made from. */
export interface Survey {
  /** Every published post, in the order of the list. */
  readonly posts: readonly SurveyedPost[];
  readonly categories: readonly SurveyedLabel[];
  readonly tags: readonly SurveyedLabel[];
}

const BATCH = 100;
/** A larger blog is not read to its end: the cases that compare with all of it would take minutes. */
const MAX_ITEMS = 5000;

const surveys = new WeakMap<Target, Promise<Survey>>();

/** Reads the blog of a target, once. */
export function survey(target: Target): Promise<Survey> {
  return once(surveys, target, readBlog);
}

/** Makes a value once per target; one that could not be made is tried again by the next case. */
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

async function readBlog(target: Target): Promise<Survey> {
  return {
    posts: await readPosts(target, BATCH),
    categories: await read<SurveyedLabel[]>(target, '/public/categories'),
    tags: await read<SurveyedLabel[]>(target, '/public/tags'),
  };
}

/** The list of posts, so many at a time. */
export const readPosts = (target: Target, limit: number): Promise<readonly SurveyedPost[]> =>
  readBatches(limit, (offset) => read<SurveyedPost[]>(target, `/public/posts?limit=${limit}&offset=${offset}`));

/** Reads a list to its end: a batch that is not full, or that repeats the first one. */
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

/** The posts of a survey; a blog without any has nothing to check. */
export async function somePosts(target: Target): Promise<readonly SurveyedPost[]> {
  const { posts } = await survey(target);
  if (posts.length === 0) throw new Unchecked('the blog has no posts');
  return posts;
}

/** At most so many of a list, spread over all of it: its first and its last among them. */
export function spread<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, (items.length - 1) / (count - 1));
  const places = Array.from({ length: Math.min(count, items.length) }, (_, index) => Math.round(index * step));
  return places.flatMap((place) => items.slice(place, place + 1));
}

/** Posts spread over the blog, and those whose texts HTML would escape. */
export function telling(posts: readonly SurveyedPost[]): readonly SurveyedPost[] {
  const escaped = posts.filter(({ title, subtitle }) => /[&<>"']/.test(title + subtitle));
  return [...new Set([...spread(posts, 8), ...spread(escaped, 8)])];
}

/** Checks that what a list shows of a post is what the post has. */
export function agree(item: object, posts: readonly SurveyedPost[], at: string): void {
  const { id } = item as { readonly id: string };
  const post = posts.find((one) => one.id === id);
  for (const [name, value] of Object.entries(item)) {
    if (post && Object.hasOwn(post, name))
      equal(value, post[name as keyof SurveyedPost], `${at}: ${name} of post ${id}`);
  }
}

/** Texts that differ from an id or slug in one character: a look-up that finds it by them is not exact. */
export function near(text: string): string[] {
  const wildcards = ['%', '_', '*', '?'].map((sign) => text.slice(0, -1) + sign);
  const forms = [text.toUpperCase(), text.toLowerCase(), text.normalize('NFC'), text.normalize('NFD')];
  return [...forms, ...wildcards, `${text}x`, ` ${text}`, `${text} `, text.slice(0, -1), '%'];
}

/** Posts in the order of posts: newest first, nulls last, ties by id descending. */
export function inOrder<T extends { readonly id: string; readonly publishedAt: string | null }>(
  posts: readonly T[],
): T[] {
  const key = ({ id, publishedAt }: T) => `${publishedAt ? new Date(publishedAt).toISOString() : ''} ${id}`;
  return [...posts].sort((one, two) => (key(one) < key(two) ? 1 : -1));
}

/** Checks that two lists have the same ids, in the same order unless only the document counts: it leaves order open. */
export function sameOrder(
  { documentOnly }: Target,
  found: readonly string[],
  expected: readonly string[],
  what: string,
): void {
  const compared = (ids: readonly string[]) => (documentOnly ? [...ids].sort() : ids);
  equal(compared(found), compared(expected), what);
}

/** A text as search compares it: without case and accents. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');

/** Everything a search finds, page by page. */
export const searchAll = (target: Target, q: string, limit = 50): Promise<Found['data']> =>
  readBatches(limit, async (offset) => {
    const { data, meta } = await readSearch(target, `q=${encodeURIComponent(q)}&limit=${limit}&offset=${offset}`);
    equal(meta.q, q, 'meta.q');
    return data;
  });

const formats = new WeakMap<Target, Promise<string>>();

/** A format of which the blog has an ad to deliver. Looking for it records an impression. */
export function filledFormat(target: Target): Promise<string> {
  return once(formats, target, lookForFormat);
}

async function lookForFormat(target: Target): Promise<string> {
  for (const format of AD_FORMATS) {
    const { text } = await send(target, `/public/ads/formats/${format}`);
    if (text.includes('"clickToken"')) return format;
  }
  throw new Unchecked('the blog delivers no ad of any format');
}
