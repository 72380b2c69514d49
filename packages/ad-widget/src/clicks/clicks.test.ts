import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Context } from '../context.ts';
import { loadOnDemand } from '../load-on-demand.ts';
import { click } from './clicks.ts';
import { resumeClicks } from './follow-click.ts';

const down = () => Promise.reject(new TypeError('Failed to fetch'));

/** The clicks of a page, and the tokens it posted. */
function open(line: string, { storage = true, post = (): Promise<unknown> => Promise.resolve() } = {}) {
  const posted: string[] = [];
  const context: Context = {
    baseUrl: '',
    client: '',
    line,
    signal: new AbortController().signal,
    transport: {
      deliverBatch: () => Promise.resolve([]),
      click: (clickToken: string) => {
        posted.push(clickToken);
        return post();
      },
    },
    consent: { ads: true, storage },
    counts: { requests: 0, requested: 0, delivered: 0, rendered: 0, reused: 0, empty: 0, failed: 0, viewable: 0 },
    receipts: { posted: 0, confirmed: 0, expired: 0, refused: 0 },
    unsent: new Map(),
    opened: Date.now(),
    slots: new Map(),
    emit: () => undefined,
    schedule: () => undefined,
  };
  const host = document.createElement('div');
  const slot = { host, slotId: 'a', format: 'BANNER', key: '', state: 'filled', wanted: false } as const;
  const follow = (clickToken: string): void => {
    const ad = { slotId: 'a', format: 'BANNER', filled: true, id: '1', clickToken } as const;
    click(context, slot, { ad, expiresAt: Date.now() + 600_000 });
  };
  return { posted, context, follow };
}
const resumed = async (name: string): Promise<string[]> => {
  const { posted, context } = open(name);
  resumeClicks(context);
  await vi.dynamicImportSettled();
  return posted;
};

// On a busy machine, loading takes longer than a test waits.
beforeAll(loadOnDemand);
beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
});
afterEach(() => void vi.useRealTimers());

test('the next page posts the clicks that the last one could not, however soon it opens', async () => {
  open('blog', { post: down }).follow('token');
  await expect.poll(() => sessionStorage).toHaveLength(1);
  expect(await resumed('blog')).toEqual(['token']);
});

test.each([401, 429, 503])('a click whose response is %i is posted again by the next page', async (status) => {
  const post = () => Promise.reject(Object.assign(new Error('later'), { status }));
  const { context, follow } = open('blog', { post });
  follow('token');
  await expect.poll(() => context.unsent.size).toBe(1);
  expect(await resumed('blog')).toEqual(['token']);
});

test('a page does not post its own clicks again, nor those of another blog, nor confirmed ones', async () => {
  const { posted, context, follow } = open('blog');
  vi.setSystemTime(1_000_001);
  follow('token');
  resumeClicks(context);
  await expect.poll(() => context.receipts.confirmed).toBe(1);
  expect(posted).toEqual(['token']);
  expect(await resumed('other')).toEqual([]);
  expect(await resumed('blog')).toEqual([]);
  expect(sessionStorage).toHaveLength(0);
});

test('the journal is read once, and not without consent to storage', async () => {
  open('blog', { post: down }).follow('token');
  await expect.poll(() => sessionStorage).toHaveLength(1);
  const { posted, context } = open('blog', { storage: false });
  resumeClicks(context);
  expect(posted).toEqual([]);
  Object.assign(context.consent, { storage: true });
  resumeClicks(context);
  resumeClicks(context);
  await vi.dynamicImportSettled();
  expect(posted).toEqual(['token']);
});

test('a token that has expired is forgotten', async () => {
  open('blog', { post: down }).follow('token');
  await expect.poll(() => sessionStorage).toHaveLength(1);
  vi.setSystemTime(Date.now() + 10 * 60 * 1000 + 1);
  expect(await resumed('blog')).toEqual([]);
  expect(sessionStorage).toHaveLength(0);
});

test('without consent to storage nothing is stored, and the click is still posted', () => {
  const { posted, follow } = open('blog', { storage: false });
  follow('token');
  expect(sessionStorage).toHaveLength(0);
  expect(posted).toEqual(['token']);
});
