import { expect, test } from 'vitest';
import { summaryOf } from './summary.ts';

const totals = { published: 0, drafts: 0, scheduled: 0, undated: 0, withoutAuthor: 0 };

test.each([
  [
    { published: 2, drafts: 1, scheduled: 1, undated: 1, withoutAuthor: 3 },
    '4 posts: 2 published, 1 draft, 1 scheduled; 1 without a date, 3 without an author',
  ],
  [{ published: 1 }, '1 post: 1 published, 0 drafts, 0 scheduled'],
  [{}, '0 posts: 0 published, 0 drafts, 0 scheduled'],
])('a summary of %j', (counts, text) => {
  expect(summaryOf({ ...totals, ...counts })).toBe(text);
});
