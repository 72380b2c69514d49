import { expect, test } from 'vitest';
import { table } from './text-table.ts';

test('a table can have more rows than a function call can have arguments', () => {
  const rows = Array.from({ length: 150_000 }, (_, index) => [`placement ${index}`, index]);
  expect(table(['PLACEMENT', 'REQUESTS'], rows).split('\n').slice(149_999)).toEqual([
    'placement 149998   149,998',
    'placement 149999   149,999',
    '',
  ]);
});
