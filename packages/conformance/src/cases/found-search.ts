import { equal } from '../expect.ts';
import { readSearch } from '../success.ts';
import { folded, inOrder, type SurveyedPost, searchAll, somePosts, spread } from '../survey.ts';
import { section, type Target, Unchecked } from '../target.ts';

const promised = section({ section: '4.4' });
const decided = section({ section: 'decided' });
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
/** Stands nowhere. */
const NONSENSE = 'zqxjkv';

/** What a search finds by the rules: each term in title or subtitle; more terms in the title first, then the order. */
function expected(posts: readonly SurveyedPost[], q: string): readonly SurveyedPost[] {
  const terms = folded(q).split(' ');
  const inTitle = ({ title }: SurveyedPost) => terms.filter((term) => folded(title).includes(term)).length;
  return inOrder(posts)
    .filter(({ title, subtitle }) =>
      terms.every((term) => [title, subtitle].some((text) => folded(text).includes(term))),
    )
    .sort((one, two) => inTitle(two) - inTitle(one));
}

async function compare(target: Target, ...queries: readonly string[]): Promise<void> {
  const posts = await somePosts(target);
  for (const q of queries)
    equal(ids(await searchAll(target, q)), ids(expected(posts, q)), `search for ${JSON.stringify(q)}`);
}

/** Posts whose titles have a word to look for, spread over the blog, each with its longest word. */
async function sought(target: Target) {
  const found = (await somePosts(target)).flatMap((post) => {
    const [word] = wordsOf(post.title).sort((one, two) => two.length - one.length);
    return word === undefined ? [] : [{ post, word }];
  });
  if (found.length === 0) throw new Unchecked('no title of the blog has a word of three letters');
  return spread(found, 4);
}

/** The word that stands in most titles and subtitles. */
async function commonWord(target: Target): Promise<string> {
  const posts = await somePosts(target);
  const counts = new Map<string, number>();
  for (const { title, subtitle } of posts) {
    for (const word of new Set(wordsOf(folded(`${title} ${subtitle}`)))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, two]) => two - one);
  if (!most || most[1] < 2) throw new Unchecked('no word stands in two posts');
  return most[0];
}

/** Section 4.4 on any blog: words of its own titles are looked for, and what must be found is worked out. */
export const foundSearchCases = [
  promised('a word of a title finds every post that has it, in whatever case', async (target) => {
    for (const { word } of await sought(target)) await compare(target, word, word.toUpperCase(), word.toLowerCase());
  }),
  promised('the pages of a search add up, to the last hit', async (target) => {
    const word = await commonWord(target);
    const all = ids(expected(await somePosts(target), word));
    equal(ids(await searchAll(target, word)), all, `search for ${word}`);
    const limit = Math.min(49, Math.max(1, Math.ceil(all.length / 3)));
    equal(ids(await searchAll(target, word, limit)), all, `search for ${word}, ${limit} at a time`);
    const { data, meta } = await readSearch(target, `q=${encodeURIComponent(word)}`);
    equal(ids(data), all.slice(0, 10), `search for ${word}: the first ten`);
    equal(meta, { q: word, limit: 10, offset: 0, count: Math.min(10, all.length) }, 'meta');
  }),
  promised('a hit has title, subtitle, slug and date of its post', async (target) => {
    const posts = new Map((await somePosts(target)).map((post) => [post.id, post]));
    for (const { word } of (await sought(target)).slice(0, 2)) {
      for (const hit of await searchAll(target, word)) {
        const { id, title, subtitle, slug, publishedAt } = hit as unknown as SurveyedPost;
        const post = posts.get(id);
        equal([title, subtitle, slug, publishedAt], [post?.title, post?.subtitle, post?.slug, post?.publishedAt], id);
      }
    }
  }),
  decided('every term must occur, in any order, in title or subtitle', async (target) => {
    for (const { post, word } of await sought(target)) {
      const others = wordsOf(post.title).filter((other) => other !== word);
      const below = wordsOf(post.subtitle).at(-1);
      await compare(target, `${word} ${NONSENSE}`, `${NONSENSE} ${word}`);
      if (others[0] !== undefined) await compare(target, `${others[0]} ${word}`, `${word} ${others[0]}`);
      if (below !== undefined) await compare(target, `${below} ${word}`);
    }
  }),
  decided('posts that have more of the terms in the title come first, whatever their dates', async (target) => {
    const posts = await somePosts(target);
    const heads = new Set(posts.flatMap(({ title, subtitle }) => wordsOf(folded(`${title} ${subtitle}`))));
    const ranked = [...heads].filter((word) => {
      const hits = expected(posts, word);
      return ids(hits).join() !== ids(inOrder(hits)).join();
    });
    if (ranked.length === 0)
      throw new Unchecked('no word stands in the title of a post and in the subtitle of a newer one');
    await compare(target, ...spread(ranked, 3));
  }),
  decided('a term is found inside of words', async (target) => {
    const long = (await sought(target)).filter(({ word }) => [...word].length > 4);
    if (long.length === 0) throw new Unchecked('no title of the blog has a word of five letters');
    for (const { word } of long) await compare(target, [...word].slice(1, -1).join(''));
  }),
  decided('accents make no difference', async (target) => {
    for (const { word } of await sought(target)) {
      const [first = '', ...rest] = word;
      await compare(target, folded(word), `${first}\u0301${rest.join('')}`);
    }
  }),
  decided('% and _ and * are no wildcards', async (target) => {
    for (const { word } of await sought(target)) {
      const [start, end] = [word.slice(0, 1), word.slice(2)];
      await compare(target, `${start}_${end}`, `${start}%${end}`, `${start}*${end}`, `${word}%`, '%%%', '___');
    }
  }),
  promised('what stands in the text alone is not found', async (target) => {
    const posts = await somePosts(target);
    const heads = posts.map(({ title, subtitle }) => folded(`${title}\n${subtitle}`)).join('\n');
    for (const { content } of spread(posts, 20)) {
      const word = wordsOf(content.replaceAll(/<[^>]*>/g, ' ')).find((one) => !heads.includes(folded(one)));
      if (word !== undefined) return compare(target, word);
    }
    throw new Unchecked('every word of the texts that were read stands in a title or a subtitle as well');
  }),
];
