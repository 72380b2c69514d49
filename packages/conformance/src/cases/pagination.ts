import { equal } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { send } from '../send.ts';
import { ok } from '../success.ts';
import { survey } from '../survey.ts';
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
    const found = await survey(target);
    const [word = 'abc'] = /[\p{L}\p{N}]{3,50}/u.exec(found.posts.map(({ title }) => title).join(' ')) ?? [];
    const pages = (['categories', 'tags'] as const).flatMap((kind) =>
      found[kind].slice(0, 3).map(({ id }) => `${kind}/${encodeURIComponent(id)}/posts?`),
    );
    const unknown = {
      'posts?': 'page=2&pageSize=1&q=zqxjkv',
      [`search?q=${encodeURIComponent(word)}`]: 'page=2&pageSize=1&status=DRAFT',
      ...Object.fromEntries(
        ['categories?', 'tags?', ...pages].map((path) => [path, 'limit=1&offset=1&q=zqxjkv&status=DRAFT']),
      ),
    };
    for (const [path, parameters] of Object.entries(unknown)) {
      const others =
        'foo=1&foo=2&Limit=0&sort=&order=asc&blogId=x&authorId=x&category=x&tag=x&fields=id&format=xml&callback=x';
      const response = await send(target, `/public/${path}&${parameters}&${others}`);
      equal(ok(response), ok(await send(target, `/public/${path}`)), response.request);
    }
  }),
];
