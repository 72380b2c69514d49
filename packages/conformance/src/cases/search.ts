import { equal, holds } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { send } from '../send.ts';
import { shapes } from '../shapes.ts';
import { readSearch } from '../success.ts';
import { section, type Target } from '../target.ts';

const promised = section({ section: '4.4' });
const decided = section({ section: 'decided' });
const seeded = section({ section: 'decided', needs: ['snapshot'] });

const find = async (target: Target, q: string, key = target.apiKey): Promise<string[]> =>
  (await readSearch(target, `q=${encodeURIComponent(q)}&limit=50`, { key })).data.map(({ id }) => id);
const sought = (...numbers: number[]) => numbers.map((number) => `sought-${number}`);

/** Section 4.4: search. */
export const searchCases = [
  promised('results are at data.data and what was asked at data.meta', async (target) => {
    const found = await readSearch(target, 'q=the');
    equal(Object.keys(found).sort(), ['data', 'meta'], 'keys of data');
    shapes.searchMeta(found.meta, 'meta');
    for (const [index, item] of found.data.entries()) shapes.found(item, `data.${index}`);
    equal(found.meta, { q: 'the', limit: 10, offset: 0, count: found.data.length }, 'meta');
  }),
  promised('q is required and has three characters at least', async (target) => {
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
    refuses(await send(target, '/public/search?q=abc&limit=0'), 'limit');
    refuses(await send(target, '/public/search?q=abc&offset=-1'), 'offset');
  }),
  decided('q is trimmed and white space in it collapsed before it is measured', async (target) => {
    equal((await readSearch(target, 'q=+%20two%09%0A++words%20')).meta.q, 'two words', 'meta.q');
    for (const q of ['++ab++', '+++', 'a%20%20%20', '%09%0A+'])
      refuses(await send(target, `/public/search?q=${q}`), 'q');
    equal((await readSearch(target, 'q=a+++b')).meta.q, 'a b', 'three characters with the space');
  }),
  decided('q is measured in code points, 200 at most', async (target) => {
    const smile = encodeURIComponent('😀');
    refuses(await send(target, `/public/search?q=${smile}${smile}`), 'q');
    equal((await readSearch(target, `q=${smile.repeat(3)}`)).meta.q, '😀😀😀', 'three emoji');
    equal((await readSearch(target, `q=${smile.repeat(200)}`)).meta.count, 0, 'two hundred emoji');
    refuses(await send(target, `/public/search?q=${smile.repeat(201)}`), 'q');
    equal((await readSearch(target, `q=${'x'.repeat(200)}`)).meta.count, 0, '200 letters');
    refuses(await send(target, `/public/search?q=${'x'.repeat(201)}`), 'q');
  }),
  decided('no term breaks the search', async (target) => {
    const terms = [
      '%%%',
      '___',
      '"""',
      "'''",
      '\\\\\\',
      '***',
      '(((',
      'a AND',
      'NOT x',
      'NEAR(a',
      '\u0000\u0000\u0000',
    ];
    for (const q of [
      ...terms,
      'a"b*',
      '--x',
      '\u0301\u0301\u0301',
      'a\u0000b',
      '^a:b',
      '{a}',
      'İİİ',
      "'; DROP TABLE posts",
    ]) {
      const { meta } = await readSearch(target, `q=${encodeURIComponent(q)}`);
      equal(meta.q, q, `meta.q of ${JSON.stringify(q)}`);
    }
  }),
  section({ section: '4.4', needs: ['snapshot'] })(
    'search looks through title and subtitle, not the text',
    async (target) => {
      equal(await find(target, 'marmalade'), [], 'a word of the text');
      equal(await find(target, 'Numbered 17'), ['post-17'], 'a title');
      equal(await find(target, 'the day 23'), ['post-23'], 'a subtitle');
      equal(await find(target, 'quixotic'), [], 'a word of drafts and scheduled posts');
      equal(await find(target, 'zanzibar'), [], 'a word of the other blog');
      equal(await find(target, 'zanzibar', target.otherKey), ['post-01', 'post-other'].reverse(), 'there');
    },
  ),
  section({ section: '4.4', needs: ['snapshot'] })(
    'an item has the cover and the dates of its post',
    async (target) => {
      const { data } = await readSearch(target, 'q=alpha+beta+gamma');
      const expected = {
        id: 'sought-1',
        title: 'Alpha',
        subtitle: 'beta gamma',
        slug: 'sought-1',
        coverUrl: 'https://images.example/alpha.png',
        publishedAt: '2025-02-09T00:00:00.000Z',
      };
      equal(
        data.find(({ id }) => id === 'sought-1'),
        expected,
        'item',
      );
    },
  ),
  section({ section: '4.4', needs: ['snapshot'] })('limit and offset cut the results', async (target) => {
    const all = await find(target, 'numbered');
    equal(all.length, 23, 'found');
    const { data, meta } = await readSearch(target, 'q=numbered&limit=5&offset=20');
    equal(
      data.map(({ id }) => id),
      all.slice(20),
      'the last cut',
    );
    equal(meta, { q: 'numbered', limit: 5, offset: 20, count: 3 }, 'meta');
    equal((await readSearch(target, 'q=numbered&offset=900000000')).data, [], 'far past the end');
  }),
  seeded('each term must occur, in any order and place, whatever its case and accents', async (target) => {
    equal(await find(target, 'GAMMA alp'), sought(4, 2, 1, 3), 'gamma alp');
    equal(await find(target, 'gamma nowhere'), [], 'one term that is nowhere');
    equal(await find(target, 'creme BRULEE'), sought(9), 'without accents');
    equal(await find(target, 'Cre\u0300me bru\u0302le\u0301e'), sought(9), 'with accents set apart');
    equal(await find(target, 'fine print'), sought(12), 'a ligature');
    equal(await find(target, '日本語'), sought(12), 'ideographs');
    equal(await find(target, 'rûl'), sought(9), 'inside a word');
  }),
  seeded('more terms in the title come first, then the order of posts', async (target) => {
    equal(await find(target, 'alpha beta gamma'), sought(2, 4, 1, 3), 'order');
  }),
  seeded('characters that mean something to a database mean only themselves', async (target) => {
    equal(await find(target, '00%'), sought(5), '%');
    equal(await find(target, '100% wool'), sought(5), '% and a term');
    equal(await find(target, 'ke_c'), sought(7), '_');
    equal(await find(target, '"quoted"'), sought(9), '"');
    equal(await find(target, "it's"), sought(10), "'");
    equal(await find(target, 'k\\s'), sought(10), '\\');
    equal(await find(target, '😀😀😀'), sought(10), 'emoji');
    equal(await find(target, 'two)*'), sought(11), '*');
    equal(await find(target, 'NEAR(one'), sought(11), 'NEAR');
    equal(await find(target, 'alpha OR wool'), [], 'OR is a word');
    equal(await find(target, 'AND minus -x'), sought(11), 'AND and - are text');
    equal(await find(target, 'wo*'), [], 'a star is no wildcard');
    holds((await find(target, 'wool pure')).length === 1, 'plain terms beside them');
  }),
];
