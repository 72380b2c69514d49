import { Buffer } from 'node:buffer';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { png } from '../../../tools/testing/images.ts';
import { COMMANDS } from '../src/commands/commands.ts';
import { asText } from '../src/commands/text-table.ts';
import { NOW, run } from './run.ts';

let store: SqlStore;
beforeAll(async () => {
  store = await openStore('sqlite::memory:');
  const campaigns = [{ id: 'c', sponsor: 'Tea', name: 'Spring' }];
  await store.importBlogs([{ id: 'news', name: 'News', campaigns }], NOW);
});
afterAll(() => store?.close());

const entries = async () => (await store.readLog({ offset: 0, limit: 100 })).entries.map(({ what }) => what);

test('storing and removing images is in the log, and storing the same one again is not', async () => {
  const image = Buffer.from(png(2, 2)).toString('base64');
  const { path } = await run(store, 'media.add', 'news', { image });
  await run(store, 'media.add', 'news', { image });
  expect(await run(store, 'media.prune', 'news', {})).toBe(1);
  await run(store, 'media.prune', 'news', {});
  expect((await entries()).filter((what) => what.includes('image')).toSorted()).toEqual([
    'removed 1 unused image',
    `stored the image ${path}`,
  ]);
});

test('a name and a time zone that a blog already has are no change', async () => {
  const before = (await entries()).length;
  const same = await run(store, 'blogs.rename', 'news', { name: ' News ' });
  expect(COMMANDS['blogs.rename'].text?.(same, { name: 'News' }, 'news', String)).toBe(
    'The blog is already called “News”.',
  );
  await run(store, 'blogs.time-zone', 'news', { timeZone: 'utc' });
  expect(await entries()).toHaveLength(before);
});

test.each(['Two\nlines', 'A\ttab', 'A\u2028separator', 'A\u0007bell'])('the name %j is not one line', async (name) => {
  await expect(run(store, 'blogs.rename', 'news', { name })).rejects.toThrow('must be one line');
  await expect(run(store, 'blogs.create', 'lines', { name })).rejects.toThrow('must be one line');
});

test('a blog is created and changed with the same spellings of domains', async () => {
  const domains = ['https://news.example/', 'news.example', '*.news.example'];
  const hosts = ['news.example', '*.news.example'];
  expect((await run(store, 'blogs.create', 'hosts', { domains })).domains).toEqual(hosts);
  expect((await run(store, 'blogs.domains', 'hosts', { domains })).domains).toEqual(hosts);
});

test('deleting a campaign says what does not come back', async () => {
  const deleted = await run(store, 'campaigns.delete', 'news', { campaign: 'c' });
  const { help, text } = COMMANDS['campaigns.delete'];
  const printed = asText(text?.(deleted, { campaign: 'c' }, 'news', String) ?? '', false);
  for (const said of [help, printed]) expect(said).toContain('links to its report stop working');
});
