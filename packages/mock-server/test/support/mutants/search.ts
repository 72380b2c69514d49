import {
  asks,
  fold,
  headOf,
  hits,
  isSearch,
  like,
  type Mutant,
  responds,
  searches,
  withHits,
} from './broken-server.ts';

const termsOf = (q: string): string[] => fold(q).split(' ');

/** Servers with a wrong search. */
export const SEARCH_MUTANTS: readonly Mutant[] = [
  {
    name: 'results without coverUrl',
    breaks: responds(isSearch, (body) =>
      withHits(
        body,
        hits(body).data.map(({ coverUrl: _, ...hit }) => hit),
      ),
    ),
  },
  {
    name: '% and _ are wildcards of the search',
    breaks: searches((post, q) => termsOf(q).every((term) => like(term).test(fold(headOf(post))))),
  },
  {
    name: 'the last hit of a search missing',
    breaks: responds(isSearch, (body, { query }) => {
      const { data } = hits(body);
      return data.length < Number(query.get('limit') ?? 10) ? withHits(body, data.slice(0, -1)) : body;
    }),
  },
  {
    name: 'only the first word is searched',
    breaks: searches((post, q) => fold(headOf(post)).includes(termsOf(q)[0] ?? '')),
  },
  {
    name: 'the search is case-sensitive',
    breaks: searches((post, q) => q.split(' ').every((term) => headOf(post).includes(term))),
  },
  {
    name: 'the search is accent-sensitive',
    breaks: searches((post, q) =>
      q
        .toLowerCase()
        .split(' ')
        .every((term) => headOf(post).toLowerCase().includes(term)),
    ),
  },
  {
    name: 'the search matches whole words only',
    breaks: searches((post, q) =>
      termsOf(q).every((term) =>
        fold(headOf(post))
          .split(/[^\p{L}\p{N}]+/u)
          .includes(term),
      ),
    ),
  },
  {
    name: 'the search matches the beginnings of words only',
    breaks: searches((post, q) =>
      termsOf(q).every((term) =>
        fold(headOf(post))
          .split(/[^\p{L}\p{N}]+/u)
          .some((word) => word.startsWith(term)),
      ),
    ),
  },
  {
    name: 'the search also reads the content',
    breaks: searches((post, q) =>
      termsOf(q).every((term) => fold(`${headOf(post)}\n${post['content']}`).includes(term)),
    ),
  },
  {
    name: 'the search finds any of the words',
    breaks: searches((post, q) => termsOf(q).some((term) => fold(headOf(post)).includes(term))),
  },
  {
    name: 'the search reads titles only',
    breaks: searches((post, q) => termsOf(q).every((term) => fold(post['title']).includes(term))),
  },
  {
    name: 'hits are not ranked by title',
    breaks: searches((post, q) => termsOf(q).every((term) => fold(headOf(post)).includes(term))),
  },
  {
    name: 'meta.count is the number of all hits',
    breaks: responds(isSearch, (body) => {
      const found = hits(body);
      return { ...body, data: { ...found, meta: { ...found.meta, count: Number(found.meta['count']) + 1 } } };
    }),
  },
  {
    name: 'q of two characters accepted',
    breaks: asks(isSearch, (url) => url.searchParams.get('q')?.length === 2 && url.searchParams.set('q', 'the')),
  },
  {
    name: 'q is not trimmed',
    breaks: responds(isSearch, (body, { query }) => {
      const found = hits(body);
      return { ...body, data: { ...found, meta: { ...found.meta, q: query.get('q') } } };
    }),
  },
];
