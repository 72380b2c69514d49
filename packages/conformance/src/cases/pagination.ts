import { equal } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { send } from '../send.ts';
import { readPage, readSearch } from '../success.ts';
import { section } from '../target.ts';

const promised = section({ section: '4.6', needs: ['snapshot'] });
const decided = section({ section: 'decided' });
const LISTS = ['/public/categories/many/posts', '/public/tags/many/posts'];

/** What is no integer of the API: digits only, and once. `+` stands for a space in a query. */
export const NOT_INTEGERS = [
  '1e1',
  '%201',
  '1%20',
  '+1',
  '%2B1',
  '0x1',
  '1.0',
  '',
  '-1',
  'abc',
  '%EF%BC%91',
  'NaN',
  '1,2',
  '1_0',
];

/** Section 4.6: three styles of pages, and the integers in all of them. */
export const paginationCases = [
  promised('lists in pages carry where the page stands', async (target) => {
    for (const list of LISTS) {
      const first = { page: 1, pageSize: 10, total: 23, totalPages: 3, hasNextPage: true, hasPrevPage: false };
      equal((await readPage(target, list)).pagination, first, `${list}: defaults`);
      const { items, pagination } = await readPage(target, `${list}?page=3`);
      equal(pagination, { ...first, page: 3, hasNextPage: false, hasPrevPage: true }, `${list}: last page`);
      equal(items.length, 3, `${list}: items of the last page`);
      const middle = await readPage(target, `${list}?page=2&pageSize=5`);
      const expected = { page: 2, pageSize: 5, total: 23, totalPages: 5, hasNextPage: true, hasPrevPage: true };
      equal(middle.pagination, expected, `${list}: a page in the middle`);
    }
  }),
  promised('pages neither overlap nor leave anything out', async (target) => {
    for (const list of LISTS) {
      const found: string[] = [];
      for (let page = 1; page <= 4; page += 1) {
        found.push(
          ...(await readPage<{ id: string }>(target, `${list}?page=${page}&pageSize=6`)).items.map(({ id }) => id),
        );
      }
      equal(
        found,
        Array.from({ length: 23 }, (_, index) => `post-${String(23 - index).padStart(2, '0')}`),
        list,
      );
    }
  }),
  promised('an empty list has no pages', async (target) => {
    for (const list of ['/public/categories/empty/posts', '/public/tags/empty/posts']) {
      const { items, pagination } = await readPage(target, list);
      equal(items, [], list);
      const none = { page: 1, pageSize: 10, total: 0, totalPages: 0, hasNextPage: false, hasPrevPage: false };
      equal(pagination, none, `${list}: pagination`);
    }
  }),
  section({ section: 'decided', needs: ['snapshot'] })('a page past the end is 200 and empty', async (target) => {
    for (const list of LISTS) {
      const { items, pagination } = await readPage(target, `${list}?page=9`);
      equal(items, [], list);
      equal([pagination.page, pagination.total, pagination.hasNextPage], [9, 23, false], `${list}: pagination`);
    }
  }),
  section({ section: 'decided', needs: ['snapshot'] })(
    'pageSize goes from 1 to 100 and page from 1',
    async (target) => {
      for (const list of LISTS) {
        equal((await readPage(target, `${list}?pageSize=100`)).items.length, 23, `${list}: pageSize=100`);
        equal((await readPage(target, `${list}?pageSize=1`)).items.length, 1, `${list}: pageSize=1`);
        for (const pageSize of ['0', '101']) refuses(await send(target, `${list}?pageSize=${pageSize}`), 'pageSize');
        refuses(await send(target, `${list}?page=0`), 'page');
        refuses(await send(target, `${list}?page=0&pageSize=101`), 'page', 'pageSize');
      }
    },
  ),
  decided('an integer is digits and nothing else, given once', async (target) => {
    const lists = [
      ['/public/posts?', ['limit', 'offset']],
      ['/public/search?q=abc&', ['limit', 'offset']],
    ] as const;
    for (const [list, names] of lists) {
      for (const name of names) {
        for (const value of NOT_INTEGERS) refuses(await send(target, `${list}${name}=${value}`), name);
        refuses(await send(target, `${list}${name}=1&${name}=2`), name);
        refuses(await send(target, `${list}${name}=1&${name}=1`), name);
      }
    }
  }),
  section({ section: 'decided', needs: ['snapshot'] })('the same holds for page and pageSize', async (target) => {
    for (const list of LISTS) {
      for (const name of ['page', 'pageSize']) {
        for (const value of NOT_INTEGERS) refuses(await send(target, `${list}?${name}=${value}`), name);
        refuses(await send(target, `${list}?${name}=1&${name}=2`), name);
      }
    }
  }),
  decided('a number below its bound is too small, also when it is negative', async (target) => {
    for (const query of ['limit=0', 'limit=-1', 'limit=-007', 'offset=-1']) {
      const answer = await send(target, `/public/posts?${query}`);
      equal(
        failure(answer, 'VALIDATION_ERROR').map(({ code }) => code),
        ['too_small'],
        `${query}: codes`,
      );
    }
  }),
  decided('all problems of a query are reported at once', async (target) => {
    refuses(await send(target, '/public/posts?limit=0&offset=-1&status=DRAFT'), 'limit', 'offset', 'status');
    refuses(await send(target, '/public/search?q=a&limit=51&offset=x'), 'limit', 'offset', 'q');
  }),
  decided('parameters that are not known are ignored', async (target) => {
    const { meta } = await readSearch(target, 'q=abc&page=x&pageSize=-1&foo=1&foo=2');
    equal([meta.limit, meta.offset], [10, 0], 'limit and offset of the search');
    equal((await send(target, '/public/posts?page=0&pageSize=x&q=a&Limit=0&sort=')).status, 200, 'status');
  }),
];
