import { fold } from '@broadsheet/core';
import { equal } from '../expect.ts';
import { ALL, ids, post, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

/** Titles with special characters of LIKE, FTS5, SQL and Unicode. */
const awkward = [
  '100% wool',
  '100 wool',
  'snake_case',
  'snakeXcase',
  'back\\slash',
  "it's quoted",
  'say "hello" now',
  'a*b*c stars',
  'NEAR(one two)',
  'one AND two OR three',
  'col:umn ^caret -minus +plus',
  '{brace} [bracket] (paren)',
  'semi;colon -- comment',
  '😀 grin 😃',
  '👨‍👩‍👧 family',
  '𝒳 math letters',
  'Crème Brûlée',
  'İstanbul',
  'ﬁne ligature',
  '日本語の記事',
  'ΟΔΟΣ',
  'οδοσ',
  'ab',
  '$1 ?1 :name @x',
];

/** Every substring of 1 to 5 code points of the folded titles, and some strings that occur in none. */
function stretches(): string[] {
  const found = new Set(['%%', '__', '""', "''", '\\\\', '**', '😀😀', '\u0000', 'a\u0000b', 'zzz', 'wool%', '1%']);
  for (const title of awkward) {
    const points = [...fold(title)];
    for (let start = 0; start < points.length; start += 1) {
      for (let length = 1; length <= 5; length += 1) {
        const term = points.slice(start, start + length).join('');
        if (!/\s/u.test(term)) found.add(term);
      }
    }
  }
  return [...found];
}

/** Search: substrings of folded text, of any characters. */
export const searchCases: readonly StoreCase[] = [
  storeCase('a search result has exactly the fields of the API', async (store) => {
    await put(store, {
      posts: [
        post('p', { title: 'Needle', subtitle: 'Hay', coverUrl: 'https://example.org/1.png' }),
        post('q', { title: 'Needles', publishedAt: null }),
      ],
    });
    equal(
      await store.searchPosts('b', ['needle'], ALL),
      [
        {
          id: 'p',
          title: 'Needle',
          subtitle: 'Hay',
          slug: 'slug-p',
          coverUrl: 'https://example.org/1.png',
          publishedAt: '2026-01-01T00:00:00.000Z',
        },
        { id: 'q', title: 'Needles', subtitle: '', slug: 'slug-q', coverUrl: null, publishedAt: null },
      ],
      'found',
    );
  }),
  storeCase('every term must occur in the title or in the subtitle, and cannot span both', async (store) => {
    await put(store, {
      posts: [
        post('both', { title: 'Red apples', subtitle: 'and green pears' }),
        post('title', { title: 'Red only' }),
        post('content', { title: 'Nothing', content: 'red apples, green pears' }),
        post('span', { title: 'ends in gre', subtitle: 'en begins' }),
      ],
    });
    equal(ids(await store.searchPosts('b', ['red', 'pears'], ALL)), ['both'], 'red pears');
    equal(ids(await store.searchPosts('b', ['red'], ALL)), ['title', 'both'], 'red');
    equal(ids(await store.searchPosts('b', ['green'], ALL)), ['both'], 'green');
    equal(await store.searchPosts('b', ['red', 'nowhere'], ALL), [], 'red nowhere');
    equal(ids(await store.searchPosts('b', ['pple', 'ears'], ALL)), ['both'], 'inside of words');
  }),
  storeCase('terms and text are folded', async (store) => {
    await put(store, { posts: awkward.map((title, index) => post(String(index), { title })) });
    const find = async (q: string) => (await store.searchPosts('b', [fold(q)], ALL)).map((item) => item.title);
    equal(await find('BRULEE'), ['Crème Brûlée'], 'without accents');
    equal(await find('crème'), ['Crème Brûlée'], 'with accents');
    equal(await find('istanbul'), ['İstanbul'], 'dotted capital I');
    equal(await find('fine'), ['ﬁne ligature'], 'ligature');
    equal(await find('x math'.slice(0, 1)).then((titles) => titles.includes('𝒳 math letters')), true, 'letter forms');
  }),
  storeCase('a final sigma matches any other sigma', async (store) => {
    const titles = ['Οδοστρωτήρας', 'ΟΔΟΣ', 'οδός', 'Οδοι'];
    await put(store, { posts: titles.map((title, index) => post(String(index), { title })) });
    const find = async (q: string) => (await store.searchPosts('b', [fold(q)], ALL)).map((item) => item.title);
    for (const q of ['ΟΔΟΣ', 'οδός', 'οδοσ']) {
      equal(await find(q), ['οδός', 'ΟΔΟΣ', 'Οδοστρωτήρας'], `search for ${q}`);
    }
  }),
  storeCase('every character is matched literally: %, _, \\, quotes, *, NUL, emoji, FTS words', async (store) => {
    await put(store, { posts: awkward.map((title, index) => post(`p${index}`, { title })) });
    for (const term of stretches()) {
      const expected = awkward.filter((title) => fold(title).includes(term)).sort();
      const found = (await store.searchPosts('b', [term], ALL)).map((item) => item.title).sort();
      equal(found, expected, `posts with ${JSON.stringify(term)}`);
    }
  }),
  storeCase('short and long terms can be combined', async (store) => {
    const titles = ['go is fun', 'c is fun too', 'golang', 'x', '字 and 漢字', `${'long '.repeat(50)}tail`];
    await put(store, { posts: titles.map((title, index) => post(`p${index}`, { title })) });
    const find = async (...terms: string[]) =>
      (await store.searchPosts('b', terms, ALL)).map((item) => item.title).sort();
    equal(await find('go', 'fun'), ['go is fun'], 'go fun');
    equal(await find('c', 'fun'), ['c is fun too'], 'c fun');
    equal(await find('g', 'o', 'a'), ['golang', titles[5]].sort(), 'g o a');
    equal(await find('字'), ['字 and 漢字'], 'one ideograph');
    equal(await find('x'), ['x'], 'a title of one letter');
    equal(await find('long', 'tail'), [titles[5]], 'long title');
    equal(await find('y'.repeat(200)), [], 'a term of 200');
    equal(await find(...Array.from({ length: 100 }, (_, index) => `w${index}`)), [], 'a hundred terms');
  }),
  storeCase('a search without terms finds every post', async (store) => {
    await put(store, { posts: [post('1'), post('2')] });
    equal(ids(await store.searchPosts('b', [], ALL)), ['2', '1'], 'found');
  }),
  storeCase('posts with more of the terms in the title come first, then as listed', async (store) => {
    const on = (day: string) => `2026-01-${day}T00:00:00.000Z`;
    await put(store, {
      posts: [
        post('one-old', { title: 'Alpha', subtitle: 'beta gamma', publishedAt: on('01') }),
        post('none-new', { title: 'Else', subtitle: 'alpha beta gamma', publishedAt: on('09') }),
        post('three', { title: 'gamma beta alpha', publishedAt: null }),
        post('one-new', { title: 'beta', subtitle: 'alpha gamma', publishedAt: on('05') }),
        post('two', { title: 'Álpha GAMMA', subtitle: 'beta', publishedAt: on('02') }),
        post('one-tie', { title: 'beta beta beta', subtitle: 'alpha gamma', publishedAt: on('05') }),
        post('none-null', { title: 'Else', subtitle: 'alpha beta gamma', publishedAt: null }),
      ],
    });
    const order = ['three', 'two', 'one-tie', 'one-new', 'one-old', 'none-new', 'none-null'];
    equal(ids(await store.searchPosts('b', ['alpha', 'beta', 'gamma'], ALL)), order, 'order');
    equal(
      ids(await store.searchPosts('b', ['alpha', 'beta', 'gamma'], { offset: 2, limit: 3 })),
      order.slice(2, 5),
      'slice',
    );
  }),
  storeCase('consecutive slices of the results neither overlap nor leave gaps', async (store) => {
    const posts = Array.from({ length: 130 }, (_, index) =>
      post(`p${index}`, index % 2 === 0 ? { title: 'common word' } : { title: 'else', subtitle: 'common word' }),
    );
    await put(store, { posts });
    for (const term of ['common', 'om']) {
      const whole = ids(await store.searchPosts('b', [term], ALL));
      const parts: string[] = [];
      for (let offset = 0; offset < 140; offset += 20) {
        parts.push(...ids(await store.searchPosts('b', [term], { offset, limit: 20 })));
      }
      equal(parts, whole, `the slices for ${term}`);
      equal(new Set(whole).size, 130, `number found for ${term}`);
      equal(
        await store.searchPosts('b', [term], { offset: Number.MAX_SAFE_INTEGER, limit: 5 }),
        [],
        'far past the end',
      );
    }
  }),
  storeCase('a changed title is found by its new words and no longer by the old', async (store) => {
    await put(store, { posts: [post('p', { title: 'before', subtitle: 'earlier' })] });
    await put(store, { posts: [post('p', { title: 'after', subtitle: 'later' })] });
    equal(await store.searchPosts('b', ['before'], ALL), [], 'old title');
    equal(await store.searchPosts('b', ['earlier'], ALL), [], 'old subtitle');
    equal(ids(await store.searchPosts('b', ['after', 'later'], ALL)), ['p'], 'new words');
  }),
];
