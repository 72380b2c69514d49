import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bin, type Deleted, deleteRow, restoreRow } from './bin.ts';
import { type Actor, COMMAND_LINE, type CommandTable } from './command.ts';
import { runCommand } from './run-command.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const AD = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const commands: CommandTable = {
  ...bin,
  'posts.delete': deleteRow('post'),
  'posts.restore': restoreRow('post'),
  'ads.delete': deleteRow('ad'),
  'ads.restore': restoreRow('ad'),
  'campaigns.delete': deleteRow('campaign'),
  'campaigns.restore': restoreRow('campaign'),
};

let store: SqlStore;
beforeAll(async () => {
  store = await openStore('sqlite::memory:');
  await store.putBlog(
    {
      id: 'news',
      name: 'News',
      posts: [{ id: 'p', slug: 'p', title: 'Half done', status: 'DRAFT' }],
      ads: [{ id: AD, format: 'BANNER', title: 'Tea' }],
      campaigns: [{ id: 'c', sponsor: 'Tea & Co', name: 'Spring' }],
    },
    NOW,
  );
});
afterAll(() => store?.close());

let now = NOW;
const run = (name: string, args: object, actor: Partial<Actor> = {}) =>
  runCommand({ store, now: ++now, commands }, { name, blog: 'news', args, actor: { ...COMMAND_LINE, ...actor } });
const log = async () => (await store.readLog({ offset: 0, limit: 2 })).entries.map(({ what }) => what);

test.each([
  ['post', 'p', 'Half done'],
  ['ad', AD, 'Tea'],
  ['campaign', 'c', 'Spring'],
])('a %s is deleted and restored, and the log says so', async (kind, id, title) => {
  const before = await store.exportBlog('news');
  const deleted = await run(`${kind}s.delete`, { [kind]: id });
  const entry = { kind, id, deletedAt: new Date(now).toISOString(), title };
  expect(deleted).toEqual(entry);
  expect(await run('bin.list', {})).toEqual({ blog: 'news', items: [{ ...entry, together: 1 }], total: 1 });
  await expect(run(`${kind}s.delete`, { [kind]: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await run(`${kind}s.restore`, { [kind]: id })).toEqual(entry);
  expect(await store.exportBlog('news')).toEqual(before);
  await expect(run(`${kind}s.restore`, { [kind]: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await log()).toEqual([`restored the ${kind} “${title}”`, `deleted the ${kind} “${title}”`]);
});

test('a token sees the deleted items that it may restore, and may restore the items that it may delete', async () => {
  const items = [
    ['post', 'p'],
    ['ad', AD],
    ['campaign', 'c'],
  ] as const;
  for (const [kind, id] of items) await run(`${kind}s.delete`, { [kind]: id });
  const kindsFor = async (scope: Actor['scope']) =>
    ((await run('bin.list', {}, { scope })) as { readonly items: readonly Deleted[] }).items
      .map(({ kind }) => kind)
      .sort();
  expect(await kindsFor('import')).toEqual(['post']);
  expect(await kindsFor('ads')).toEqual(['ad', 'campaign']);
  expect(await kindsFor('all')).toEqual(['ad', 'campaign', 'post']);
  await expect(run('bin.list', {}, { scope: 'stats' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  for (const [kind, id] of items) {
    const [own, other] = kind === 'post' ? (['import', 'ads'] as const) : (['ads', 'import'] as const);
    await expect(run(`${kind}s.restore`, { [kind]: id }, { scope: other })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await run(`${kind}s.restore`, { [kind]: id }, { scope: own });
  }
});
