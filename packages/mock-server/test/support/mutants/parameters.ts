import { asks, isList, isPages, type Mutant, statusOf } from './broken-server.ts';

/** Servers that parse parameters wrongly. */
export const PARAMETER_MUTANTS: readonly Mutant[] = [
  {
    name: 'an offset beyond 32 bits is 500',
    breaks: statusOf(({ query }) => Number(query.get('offset')) >= 2 ** 31, 500),
  },
  {
    name: 'a page beyond 32 bits is 500',
    breaks: statusOf(({ query }) => Number(query.get('page')) >= 2 ** 31, 500),
  },
  {
    name: 'pageSize ignored',
    breaks: asks(
      isPages,
      (url) =>
        Number(url.searchParams.get('pageSize')) <= 100 &&
        Number(url.searchParams.get('pageSize')) > 0 &&
        url.searchParams.delete('pageSize'),
    ),
  },
  { name: 'offset ignored', breaks: asks(isList, (url) => url.searchParams.delete('offset')) },
  {
    name: 'limit beyond 100 accepted',
    breaks: asks(isList, (url) => Number(url.searchParams.get('limit')) > 100 && url.searchParams.set('limit', '100')),
  },
  {
    name: 'limit 0 accepted',
    breaks: asks(isList, (url) => url.searchParams.get('limit') === '0' && url.searchParams.delete('limit')),
  },
  { name: 'any status accepted', breaks: asks(isList, (url) => url.searchParams.delete('status')) },
  {
    name: 'integers parsed loosely',
    breaks: asks(
      () => true,
      (url) => {
        for (const [name, value] of [...url.searchParams]) {
          if (/^[\s+]*1(e0|\.0)?\s*$/.test(value)) url.searchParams.set(name, '1');
        }
      },
    ),
  },
  {
    name: 'a repeated parameter accepted',
    breaks: asks(
      () => true,
      (url) => {
        for (const [name, value] of [...url.searchParams]) url.searchParams.set(name, value);
      },
    ),
  },
  {
    name: 'pages count from 0',
    breaks: asks(isPages, (url) => {
      const page = url.searchParams.get('page');
      if (page && /^\d+$/.test(page)) url.searchParams.set('page', String(Number(page) + 1));
    }),
  },
];
