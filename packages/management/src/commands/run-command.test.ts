import { flag, list, optional, text } from '@broadsheet/contract';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OperationError } from '../operations/operation-error.ts';
import { type Actor, COMMAND_LINE, type CommandTable, command, position } from './command.ts';
import { runCommand } from './run-command.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const OF_NEWS: Actor = { name: 'token ci', scope: 'import', blogId: 'news', isOperator: false };

let renamed = 0;
const commands: CommandTable = {
  'shelf.read': command({
    effect: 'read',
    scopes: ['stats'],
    args: {},
    run: async ({ now, blog }) => ({ now, blog }),
  }),
  'shelf.rename': command({
    effect: 'write',
    touches: ['settings'],
    scopes: ['import'],
    args: { name: position(text({ max: 5 }), 'its name'), dry: position(optional(flag), 'only try') },
    isRead: ({ dry = false }) => dry,
    async run({ store, blog }, { name, dry }) {
      renamed += 1;
      if (!dry) await store.renameBlog(blog, name);
      if (name === 'wrong') throw new OperationError('Not this name.');
      return name;
    },
    log: (name, { dry }) => (dry ? undefined : `renamed it to ${name}`),
  }),
  'shelf.list': command({
    effect: 'read',
    args: { names: position(list(text()), '') },
    run: async (_, { names }) => names,
  }),
  'server.stop': command({ effect: 'read', on: 'server', args: {}, run: async () => 'stopped' }),
};

let store: SqlStore;
beforeAll(async () => {
  store = await openStore('sqlite::memory:');
  for (const id of ['news', 'other']) await store.createBlog({ id, name: id, domains: [] });
});
afterAll(() => store?.close());

const run = (name: string, args: unknown, { blog = 'news', actor = COMMAND_LINE } = {}) =>
  runCommand({ store, now: NOW, commands }, { name, blog, args, actor });
const nameOf = async (blog: string) => (await store.listBlogs(blog))[0]?.name;
const log = async () => (await store.readLog({ offset: 0, limit: 100 })).entries;

describe('a command', () => {
  test('changes only what the scope of its actor permits, whatever its row says', async () => {
    const before = await nameOf('news');
    await expect(run('shelf.rename', { name: 'Scope' }, { actor: OF_NEWS })).rejects.toThrow(
      'token ci has the scope import: a change of the settings requires the scope all.',
    );
    expect(await nameOf('news')).toBe(before);
  });

  test('runs with the clock of the server, and is logged with who ran it', async () => {
    expect(await run('shelf.read', {})).toEqual({ now: NOW, blog: 'news' });
    await run('shelf.rename', { name: 'Times' }, { actor: { ...OF_NEWS, scope: 'all' } });
    expect(await log()).toEqual([
      { at: '2026-03-01T12:00:00.000Z', who: 'token ci', blogId: 'news', what: 'renamed it to Times' },
    ]);
  });

  test('changes nothing and logs nothing if it fails', async () => {
    const before = [await nameOf('news'), await log()];
    await expect(run('shelf.rename', { name: 'wrong' })).rejects.toThrow('Not this name.');
    expect([await nameOf('news'), await log()]).toEqual(before);
  });

  test('changes nothing if its entry of the log cannot be written', async () => {
    const failing = {
      ...store,
      transact: ((work) =>
        store.transact((within) =>
          work({ ...within, writeLog: () => Promise.reject(new Error('The disk is full.')) }),
        )) satisfies SqlStore['transact'],
    } as SqlStore;
    const before = await nameOf('news');
    const call = { name: 'shelf.rename', blog: 'news', args: { name: 'Post' }, actor: COMMAND_LINE };
    await expect(runCommand({ store: failing, now: NOW, commands }, call)).rejects.toThrow('The disk is full.');
    expect(await nameOf('news')).toBe(before);
  });

  test('a command that only reads writes no entry of the log', async () => {
    const before = [await nameOf('news'), await log()];
    expect(await run('shelf.rename', { name: 'Dry', dry: true })).toBe('Dry');
    expect([await nameOf('news'), await log()]).toEqual(before);
  });

  test.each<[problem: string, args: unknown]>([
    ['name: is required', {}],
    ['name: must be at most 5 characters long', { name: 'The Times' }],
    ['name: expected a string, received 5', { name: 5 }],
    ['unknown: nam', { name: 'Post', nam: 'x' }],
    ['name: contains U+0000 or a lone surrogate, which cannot be stored', { name: 'a\0' }],
    ['name: contains U+0000 or a lone surrogate, which cannot be stored', { name: '\ud800' }],
    ['expected an object, received an array', []],
    ['expected an object, received null', null],
  ])('is not run with wrong arguments: %s', async (problem, args) => {
    const before = renamed;
    const error = await run('shelf.rename', args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OperationError);
    expect((error as OperationError).message).toContain(problem);
    expect(renamed).toBe(before);
  });

  test('a command that does not exist, or whose name is inherited from objects, is reported', async () => {
    for (const name of ['shelf.dust', 'constructor', '__proto__']) {
      await expect(run(name, {})).rejects.toThrow(`There is no command ${JSON.stringify(name)}.`);
    }
  });

  test('a command on a blog that does not exist names the others, but only to those who can see them', async () => {
    await expect(run('shelf.read', {}, { blog: 'nws' })).rejects.toThrow(
      'There is no blog "nws"; there is news, other.',
    );
    const actor = { ...OF_NEWS, scope: 'all', blogId: 'nws' } as const;
    await expect(run('shelf.read', {}, { blog: 'nws', actor })).rejects.not.toThrow('other');
  });
});

describe('permission', () => {
  test.each<[what: string, name: string, blog: string, actor: Partial<Actor>]>([
    ['another blog', 'shelf.read', 'other', { scope: 'all' }],
    ['another scope', 'shelf.read', 'news', { scope: 'import' }],
    ['no scope but all', 'shelf.list', 'news', { scope: 'ads' }],
    ['the server', 'server.stop', '', { scope: 'all', blogId: null }],
  ])('is refused for %s', async (_, name, blog, actor) => {
    const call = run(name, { name: 'Post' }, { blog, actor: { ...OF_NEWS, ...actor } });
    await expect(call).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('is permitted by the scope all, and by the scopes of its row', async () => {
    expect(await run('shelf.list', { names: ['a'] }, { actor: { ...OF_NEWS, scope: 'all' } })).toEqual(['a']);
    expect(await run('shelf.read', {}, { actor: { ...OF_NEWS, scope: 'stats' } })).toMatchObject({ blog: 'news' });
    expect(await run('server.stop', {}, { blog: '' })).toBe('stopped');
  });
});
