import { equal } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { send } from '../send.ts';
import { readSearch } from '../success.ts';
import { section } from '../target.ts';

const decided = section({ section: 'decided' });

/** Values that the API rejects as integers: it accepts digits only. A `+` in a query is a space. */
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

/** Section 4.6: the integers of `limit` and `offset`, and the rules of all queries. */
export const paginationCases = [
  decided('an integer consists of digits only and is given once', async (target) => {
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
  decided('a number below its minimum is too small, even when it is negative', async (target) => {
    for (const query of ['limit=0', 'limit=-1', 'limit=-007', 'offset=-1']) {
      const response = await send(target, `/public/posts?${query}`);
      equal(
        failure(response, 'VALIDATION_ERROR').map(({ code }) => code),
        ['too_small'],
        `${query}: codes`,
      );
    }
  }),
  decided('all problems of a query are reported at once', async (target) => {
    refuses(await send(target, '/public/posts?limit=0&offset=-1&status=DRAFT'), 'limit', 'offset', 'status');
    refuses(await send(target, '/public/search?q=a&limit=51&offset=x'), 'limit', 'offset', 'q');
  }),
  decided('unknown parameters are ignored', async (target) => {
    const { meta } = await readSearch(target, 'q=abc&page=x&pageSize=-1&foo=1&foo=2');
    equal([meta.limit, meta.offset], [10, 0], 'limit and offset of the search');
    equal((await send(target, '/public/posts?page=0&pageSize=x&q=a&Limit=0&sort=')).status, 200, 'status');
  }),
];
