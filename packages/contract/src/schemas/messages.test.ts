import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { PageQuery, PostsQuery, SearchQuery } from './messages.ts';
import { validate } from './validate.ts';

const problems = (schema: z.ZodMiniType, value: unknown) => {
  const result = validate(schema, value);
  return result.ok ? [] : result.fields;
};

describe('integers in a query', () => {
  test.each(['1e1', ' 1', '0x1', '1.0', '', '-1', '+1', '１', ['1', '2']])('%j is refused', (limit) => {
    expect(problems(PostsQuery, { limit })).toMatchObject([{ field: 'limit' }]);
  });
  test.each([
    ['1', 1],
    ['007', 7],
    ['100', 100],
  ])('%j is %i', (limit, expected) => {
    expect(z.parse(PostsQuery, { limit })).toMatchObject({ limit: expected });
  });
  test.each(['-1', '-007', '-99999999999999999999'])('%j is too small', (offset) => {
    expect(problems(PostsQuery, { offset })).toEqual([
      { field: 'offset', message: 'offset: must be at least 0', code: 'too_small' },
    ]);
  });
  test.each(['-0', '-', '--1', '-1.5'])('%j is not a whole number', (offset) => {
    expect(problems(PostsQuery, { offset })).toMatchObject([{ code: 'invalid_format' }]);
  });
  test('a bound is reported with the number that was exceeded', () => {
    expect(problems(PostsQuery, { limit: '101' })).toEqual([
      { field: 'limit', message: 'limit: must be at most 100', code: 'too_big' },
    ]);
    expect(problems(PageQuery, { page: '0', pageSize: '101' })).toHaveLength(2);
    expect(problems(PostsQuery, { offset: '99999999999999999999' })).toHaveLength(1);
  });
});

describe('the search term', () => {
  test('is trimmed and collapsed before it is measured', () => {
    expect(z.parse(SearchQuery, { q: '  two \n words ' })).toMatchObject({ q: 'two words', limit: 10, offset: 0 });
    expect(problems(SearchQuery, { q: '  ab  ' })).toEqual([
      { field: 'q', message: 'q: must be at least 3 characters long', code: 'too_small' },
    ]);
  });
  test('counts code points', () => {
    expect(problems(SearchQuery, { q: '😀😀' })).toHaveLength(1);
    expect(problems(SearchQuery, { q: '😀😀😀' })).toEqual([]);
    expect(problems(SearchQuery, { q: '😀'.repeat(201) })).toMatchObject([{ code: 'too_big' }]);
  });
  test('is required', () => {
    expect(problems(SearchQuery, {})).toEqual([{ field: 'q', message: 'q: is required', code: 'required' }]);
  });
});
