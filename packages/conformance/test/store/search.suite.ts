import { fold } from '@broadsheet/core';
import { equal } from '../../src/expect.ts';
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
    equal(
      await store.searchPosts('b', ['title'], { offset: Number.MAX_SAFE_INTEGER, limit: 5 }),
      [],
      'far past the end',
    );
  }),
  storeCase('a changed title is found by its new words and no longer by the old', async (store) => {
    await put(store, { posts: [post('p', { title: 'before', subtitle: 'earlier' })] });
    await put(store, { posts: [post('p', { title: 'after', subtitle: 'later' })] });
    equal(await store.searchPosts('b', ['before'], ALL), [], 'old title');
    equal(await store.searchPosts('b', ['earlier'], ALL), [], 'old subtitle');
    equal(ids(await store.searchPosts('b', ['after', 'later'], ALL)), ['p'], 'new words');
  }),
];
