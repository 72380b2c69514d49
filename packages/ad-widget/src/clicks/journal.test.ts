import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openJournal } from './journal.ts';

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => vi.useRealTimers());

test('the next page finds what the last one could not post, however soon it comes', () => {
  openJournal('blog').add('token');
  expect(openJournal('blog').pending()).toEqual(['token']);
});

test('a page does not find its own clicks, nor those of another blog, nor what was posted', () => {
  const journal = openJournal('blog');
  vi.advanceTimersByTime(1);
  journal.add('token');
  expect(journal.pending()).toEqual([]);
  expect(openJournal('other').pending()).toEqual([]);
  journal.remove('token');
  expect(openJournal('blog').pending()).toEqual([]);
});

test('a token that has expired is forgotten', () => {
  openJournal('blog').add('token');
  vi.advanceTimersByTime(10 * 60 * 1000 + 1);
  expect(openJournal('blog').pending()).toEqual([]);
  expect(sessionStorage.length).toBe(0);
});
