import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClicks } from './clicks.ts';

const down = () => Promise.reject(new TypeError('Failed to fetch'));

/** The clicks of a page, and the tokens it posted. */
function open(name: string, { storage = true, click = (): Promise<unknown> => Promise.resolve() } = {}) {
  const posted: string[] = [];
  const transport = {
    deliver: () => Promise.resolve([]),
    click: (clickToken: string) => {
      posted.push(clickToken);
      return click();
    },
  };
  return { posted, clicks: createClicks(transport, name, { storage }, () => undefined) };
}
const resumed = async (name: string): Promise<string[]> => {
  const { posted, clicks } = open(name);
  clicks.resume();
  await vi.dynamicImportSettled();
  return posted;
};

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
});
afterEach(() => void vi.useRealTimers());

test('the next page posts the clicks that the last one could not, however soon it opens', async () => {
  open('blog', { click: down }).clicks.register('token');
  expect(await resumed('blog')).toEqual(['token']);
});

test.each([401, 429, 503])('a click that got %i is posted again by the next page', async (status) => {
  const click = () => Promise.reject(Object.assign(new Error('later'), { status }));
  const { clicks } = open('blog', { click });
  clicks.register('token');
  await vi.waitFor(() => expect(clicks.unsent.size).toBe(1));
  expect(await resumed('blog')).toEqual(['token']);
});

test('a page does not post its own clicks again, nor those of another blog, nor confirmed ones', async () => {
  const { posted, clicks } = open('blog');
  vi.setSystemTime(1_000_001);
  clicks.register('token');
  clicks.resume();
  await vi.waitFor(() => expect(clicks.receipts.confirmed).toBe(1));
  expect(posted).toEqual(['token']);
  expect(await resumed('other')).toEqual([]);
  expect(await resumed('blog')).toEqual([]);
  expect(sessionStorage).toHaveLength(0);
});

test('a token that has expired is forgotten', async () => {
  open('blog', { click: down }).clicks.register('token');
  vi.setSystemTime(1_000_000 + 10 * 60 * 1000 + 1);
  expect(await resumed('blog')).toEqual([]);
  expect(sessionStorage).toHaveLength(0);
});

test('without consent to storage nothing is stored, and the click is still posted', () => {
  const { posted, clicks } = open('blog', { storage: false });
  clicks.register('token');
  expect(sessionStorage).toHaveLength(0);
  expect(posted).toEqual(['token']);
});
