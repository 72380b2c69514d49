import type { Post } from '@broadsheet/contract';
import { MESSAGES, SearchResultItem } from '@broadsheet/contract/schemas';
import { equal } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { send } from '../send.ts';
import { conforms } from '../shapes.ts';
import { readSearch } from '../success.ts';
import { agree, folded, ids, inOrder, searchAll, somePosts, spread, survey } from '../survey.ts';
import { section, type Target, Unchecked } from '../target.ts';

const promised = section({ section: '4.4' });
const decided = section({ section: 'decided' });
const seeded = section({ section: '4.4', needs: ['snapshot'] });
/** Words of at most 50 characters, because a search may have 200 characters in total. */
const wordsOf = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter(({ length }) => length <= 50);
/** Occurs in no post. */
const NONSENSE = 'zqxjkv';
/** Strings with special characters of SQL, FTS5 and Unicode; posts of the snapshot contain some of them. */
const LITERAL = [
  ...['%%%', '00%', '100% wool', '___', 'ke_c', '"""', '"quoted"', "'''", "it's", "'; DROP TABLE posts", '--x'],
  ...['\\\\\\', 'k\\s', '***', 'wo*', 'a"b*', 'two)*', '(((', '^a:b', '{a}', 'NEAR(a', 'NEAR(one', 'NOT x'],
  ...['a AND', 'AND minus -x', 'alpha OR wool', 'wool pure', 'a\u0000b', '\u0000\u0000\u0000'],
  ...['😀😀😀', '日本語', 'İİİ', 'fine print', 'creme BRULEE', 'Cre\u0300me bru\u0302le\u0301e'],
  ...['<b>', '&&&', '&amp;', 'amp;', 'ab '.repeat(66).trim()],
];

/** The posts that a search must find: every term in title or subtitle, most title matches first, then as listed. */
function expected(posts: readonly Post[], q: string): readonly Post[] {
  const terms = folded(q).split(' ');
  const inTitle = ({ title }: Post) => terms.filter((term) => folded(title).includes(term)).length;
  return inOrder(posts)
    .filter(({ title, subtitle }) =>
      terms.every((term) => [title, subtitle].some((text) => folded(text).includes(term))),
    )
    .sort((one, two) => inTitle(two) - inTitle(one));
}

async function compare(target: Target, ...queries: readonly string[]): Promise<void> {
  const posts = await somePosts(target);
  for (const q of queries) {
    const at = `search for ${JSON.stringify(q)}`;
    const found = await searchAll(target, q);
    equal(ids(found), ids(expected(posts, q)), at);
    for (const item of found) {
      conforms(SearchResultItem, item, at);
      agree(item, posts, at);
    }
  }
}

/** Checks that a search finds every post with a word. The document does not say whether it finds parts of words. */
async function findsAll(target: Target, word: string): Promise<void> {
  if (!target.documentOnly) return compare(target, word);
  const found = ids(await searchAll(target, word));
  const posts = (await somePosts(target)).filter(({ title, subtitle }) =>
    wordsOf(folded(`${title} ${subtitle}`)).includes(folded(word)),
  );
  const missing = ids(posts).filter((id) => !found.includes(id));
  equal(missing, [], `search for ${word}: posts that were not found`);
}

/** The words that no title or subtitle has, in any form: a search may also find forms of a word. */
async function unlisted(target: Target, texts: readonly string[]): Promise<string[]> {
  const heads = folded((await somePosts(target)).map(({ title, subtitle }) => `${title}\n${subtitle}`).join('\n'));
  return texts.flatMap(wordsOf).filter((word) => !heads.includes(folded(word).slice(0, 4)));
}

/** Posts spread over the blog, each with the longest word of its title. */
async function longWords(target: Target) {
  const found = (await somePosts(target)).flatMap((post) => {
    const [word] = wordsOf(post.title).sort((one, two) => two.length - one.length);
    return word === undefined ? [] : [{ post, word }];
  });
  if (found.length === 0) throw new Unchecked('no title of the blog has a word of three letters');
  return spread(found, 4);
}

/** The word that occurs in most posts. */
async function commonWord(target: Target): Promise<string> {
  const posts = await somePosts(target);
  const counts = new Map<string, number>();
  for (const { title, subtitle } of posts) {
    for (const word of new Set(wordsOf(folded(`${title} ${subtitle}`)))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, two]) => two - one);
  if (!most || most[1] < 2) throw new Unchecked('no word occurs in two posts');
  return most[0];
}

const find = async (target: Target, q: string, key = target.apiKey): Promise<string[]> =>
  ids((await readSearch(target, `q=${encodeURIComponent(q)}&limit=50`, { key })).data);

/** Requests: the required and optional parameters, and the form of the response. */
const requestCases = [
  promised('results are at data.data and the query at data.meta', async (target) => {
    const found = await readSearch(target, 'q=the');
    conforms(MESSAGES.search.data, found, 'data');
    equal(found.meta, { q: 'the', limit: 10, offset: 0, count: found.data.length }, 'meta');
  }),
  promised('q is required and has at least three characters', async (target) => {
    for (const query of ['', '?q=', '?q=a', '?q=ab', '?limit=5']) {
      refuses(await send(target, `/public/search${query}`), 'q');
    }
    const [field] = failure(await send(target, '/public/search?q=ab'), 'VALIDATION_ERROR');
    equal(field?.code, 'too_small', 'code of a short q');
    equal((await readSearch(target, 'q=abc')).meta.q, 'abc', 'q of three characters');
  }),
  promised('limit is at most 50', async (target) => {
    equal((await readSearch(target, 'q=abc&limit=50')).meta.limit, 50, 'limit');
    refuses(await send(target, '/public/search?q=abc&limit=51'), 'limit');
  }),
  decided('limit is at least 1 and offset at least 0', async (target) => {
    const { data, meta } = await readSearch(target, 'q=abc&limit=1&offset=3');
    equal(meta, { q: 'abc', limit: 1, offset: 3, count: data.length }, 'meta');
    equal((await readSearch(target, 'q=abc&offset=3000000000')).data, [], 'past 32 bits');
    refuses(await send(target, '/public/search?q=abc&limit=0'), 'limit');
    refuses(await send(target, '/public/search?q=abc&offset=-1'), 'offset');
  }),
  decided('q is trimmed and its white space collapsed before its length is checked', async (target) => {
    equal((await readSearch(target, 'q=+%20two%09%0A++words%20')).meta.q, 'two words', 'meta.q');
    for (const q of ['++ab++', '+++', 'a%20%20%20', '%09%0A+'])
      refuses(await send(target, `/public/search?q=${q}`), 'q');
    equal((await readSearch(target, 'q=a+++b')).meta.q, 'a b', 'three characters with the space');
  }),
  decided('the length of q is counted in code points, at most 200', async (target) => {
    const smile = encodeURIComponent('😀');
    refuses(await send(target, `/public/search?q=${smile}${smile}`), 'q');
    equal((await readSearch(target, `q=${smile.repeat(3)}`)).meta.q, '😀😀😀', 'three emoji');
    equal((await readSearch(target, `q=${smile.repeat(200)}`)).meta.count, 0, 'two hundred emoji');
    refuses(await send(target, `/public/search?q=${smile.repeat(201)}`), 'q');
    equal((await readSearch(target, 'q=%CC%81%CC%81%CC%81')).meta.q, '\u0301'.repeat(3), 'three combining accents');
    equal((await readSearch(target, `q=${'x'.repeat(200)}`)).meta.count, 0, '200 letters');
    refuses(await send(target, `/public/search?q=${'x'.repeat(201)}`), 'q');
  }),
];

/** Results: the cases search for words of the blog's own titles and compute the expected result. */
const resultCases = [
  promised('a word of a title finds every post that has it, regardless of case', async (target) => {
    for (const { word } of await longWords(target)) {
      await Promise.all([word, word.toUpperCase(), word.toLowerCase()].map((form) => findsAll(target, form)));
    }
  }),
  promised('the pages of a search add up to all results', async (target) => {
    const word = await commonWord(target);
    await findsAll(target, word);
    const all = ids(await searchAll(target, word));
    const limit = Math.min(49, Math.max(1, Math.ceil(all.length / 3)));
    equal(ids(await searchAll(target, word, limit)), all, `search for ${word}, ${limit} at a time`);
    for (const offset of [0, 1, all.length]) {
      const { data, meta } = await readSearch(target, `q=${encodeURIComponent(word)}&offset=${offset}`);
      const ten = all.slice(offset, offset + 10);
      equal(ids(data), ten, `search for ${word}: ten from ${offset}`);
      equal(meta, { q: word, limit: 10, offset, count: ten.length }, 'meta');
    }
  }),
  decided('every term must occur, in any order, in title or subtitle', async (target) => {
    for (const { post, word } of await longWords(target)) {
      const others = wordsOf(post.title).filter((other) => other !== word);
      const below = wordsOf(post.subtitle).at(-1);
      await compare(target, `${word} ${NONSENSE}`, `${NONSENSE} ${word}`, [...others.slice(0, 3), NONSENSE].join(' '));
      if (others[0] !== undefined) await compare(target, `${others[0]} ${word}`, `${word} ${others[0]}`);
      if (below !== undefined) await compare(target, `${below} ${word}`);
    }
  }),
  decided('posts with more of the terms in the title come first, regardless of their dates', async (target) => {
    const posts = await somePosts(target);
    const heads = new Set(posts.flatMap(({ title, subtitle }) => wordsOf(folded(`${title} ${subtitle}`))));
    const ranked = [...heads].filter((word) => {
      const hits = expected(posts, word);
      return ids(hits).join() !== ids(inOrder(hits)).join();
    });
    if (ranked.length === 0)
      throw new Unchecked('no word occurs in the title of a post and in the subtitle of a newer one');
    const few = spread(ranked, 3);
    await compare(target, ...few, few.join(' '), few.slice(0, 2).join(' '));
  }),
  decided('a term is found inside words', async (target) => {
    const long = (await longWords(target)).filter(({ word }) => [...word].length > 4);
    if (long.length === 0) throw new Unchecked('no title of the blog has a word of five letters');
    for (const { word } of long) await compare(target, [...word].slice(1, -1).join(''));
  }),
  decided('accents make no difference', async (target) => {
    for (const { word } of await longWords(target)) {
      const [first = '', ...rest] = word;
      await compare(target, folded(word), `${first}\u0301${rest.join('')}`);
    }
  }),
  decided('%, _ and * are not wildcards', async (target) => {
    for (const { word } of await longWords(target)) {
      const [start, end] = [word.slice(0, 1), word.slice(2)];
      await compare(target, ...['_', '%', '*'].map((sign) => start + sign + end), `${word}%`);
    }
  }),
  decided('characters that are special in SQL, FTS5 or Unicode are matched literally', async (target) => {
    await compare(target, ...LITERAL);
    for (const { word } of await longWords(target)) await compare(target, `"${word}"`, `-${word}`);
  }),
  promised('a word that occurs only in the content of a post is not found', async (target) => {
    const contents = spread(await somePosts(target), 20).map(({ content }) => content.replaceAll(/<[^>]*>/g, ' '));
    const [word] = await unlisted(target, contents);
    if (word === undefined) throw new Unchecked('every word of the contents also occurs in a title or a subtitle');
    await compare(target, word);
  }),
  promised('slugs, authors, categories and tags are not searched', async (target) => {
    const { posts, categories, tags } = await survey(target);
    const ofPosts = spread(posts, 20).flatMap(({ slug, authorId }) => [slug, authorId]);
    const names = [...categories, ...tags].map(({ name }) => name);
    const words = new Set(await unlisted(target, [...ofPosts, ...names]));
    if (words.size === 0)
      throw new Unchecked('every word of the slugs, authors and labels occurs in a title or subtitle');
    await compare(target, ...spread([...words], 20));
  }),
];

/** The results that only the posts of the snapshot can show. */
const seededCases = [
  seeded('search finds only published posts, and only those of its blog', async (target) => {
    equal(await find(target, 'quixotic'), [], 'a word of drafts and scheduled posts');
    equal(await find(target, 'zanzibar'), [], 'a word of the other blog');
    equal(await find(target, 'zanzibar', target.otherKey), ['post-other', 'post-01'], 'in that blog');
  }),
  seeded('a result has the cover of its post', async (target) => {
    const { data } = await readSearch(target, 'q=alpha+beta+gamma');
    const covers = data.map(({ id, coverUrl }) => [id, coverUrl]);
    const none = (number: number) => [`sought-${number}`, null];
    const cover = ['sought-1', 'https://images.example/alpha.png'];
    equal(covers, [none(2), none(4), cover, none(3)], 'results with their covers');
  }),
];

/** Section 4.4: search. */
export const searchCases = [...requestCases, ...resultCases, ...seededCases];
