import { LIMITS, type Rule } from '@broadsheet/contract';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Actor, COMMAND_LINE, type CommandTable } from './command.ts';
import { COMMANDS } from './commands.ts';
import { runCommand } from './run-command.ts';

const TABLE: CommandTable = COMMANDS;
const AD = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const BLOG = {
  id: 'news',
  name: 'News',
  posts: [{ id: 'p', title: 'Post', slug: 'p' }],
  campaigns: [{ id: 'c', sponsor: 'Tea', name: 'Spring' }],
  ads: [{ id: AD, format: 'BANNER' as const, title: 'Tea' }],
};

let store: SqlStore;
beforeAll(async () => {
  store = await openStore('sqlite::memory:');
  await store.importBlogs([BLOG, { id: 'other', name: 'Other', apiKeys: ['other-key'] }], NOW);
});
afterAll(() => store?.close());

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const run = (name: string, args: object, { blog = 'news', actor = COMMAND_LINE } = {}) =>
  runCommand({ store, now: NOW, commands: TABLE }, { name, blog, args, actor });
const problemOf = (name: string, args: object, as: { readonly blog?: string; readonly actor?: Actor } = {}) =>
  run(name, args, as).then(
    () => 'none',
    (error: Error) => error.message,
  );

/** A text in an argument: its maximum length, and a value of the argument that contains a text. */
interface TextIn {
  readonly max: number;
  readonly value: (text: string) => unknown;
}

function textIn(rule: Rule): TextIn | undefined {
  switch (rule.kind) {
    case 'text':
      return { max: rule.max ?? Number.POSITIVE_INFINITY, value: (text) => text };
    case 'id':
      return { max: 500, value: (text) => text };
    case 'optional':
    case 'nullable':
    case 'fallback':
      return textIn(rule.inner);
    case 'list': {
      const item = textIn(rule.item);
      return item && { ...item, value: (text) => [item.value(text)] };
    }
    default:
      return undefined;
  }
}

const texts = Object.entries(TABLE).flatMap(([name, { args }]) =>
  Object.entries(args).flatMap(([argument, { rule }]) => {
    const text = textIn(rule);
    return text ? [{ name, argument, ...text }] : [];
  }),
);

test.each(texts)('$name limits the length of its argument $argument', async ({ name, argument, max, value }) => {
  expect(max).toBeLessThan(Number.POSITIVE_INFINITY);
  const problem = await problemOf(name, { [argument]: value('x'.repeat(max + 1)) });
  expect(problem).toMatch(new RegExp(`^${argument}(\\.0)?: must be at most ${max} `, 'm'));
});

test.each<[name: string, field: string, most: number, args: object]>([
  ['blogs.create', 'name', 200, {}],
  ['blogs.rename', 'name', 200, {}],
  ['panel.invite', 'name', 200, {}],
  ['tokens.create', 'name', 200, { scope: 'all' }],
  ['campaigns.add', 'sponsor', 200, { name: 'Spring' }],
  ['campaigns.add', 'name', 200, { sponsor: 'Tea' }],
  ['campaigns.edit', 'sponsor', 200, { campaign: 'c' }],
  ['campaigns.edit', 'name', 200, { campaign: 'c' }],
  ['ads.add', 'title', 120, { format: 'BANNER' }],
  ['ads.add', 'content', 10_000, { format: 'BANNER' }],
  ['ads.add', 'linkText', 200, { format: 'BANNER', title: 'Tea' }],
  ['ads.edit', 'title', 120, { ad: AD }],
])('%s refuses a %s of more than %i characters', async (name, field, most, args) => {
  const problem = await problemOf(name, { ...args, [field]: 'x'.repeat(most + 1) });
  expect(problem).toBe(`${field}: must be at most ${most} characters long`);
});

test('an import of a blog with a long name is refused', async () => {
  const name = 'x'.repeat(201);
  const problem = await problemOf('import.add', { name: 'a'.repeat(64), part: { ...BLOG, name } });
  expect(problem).toBe('part.name: must be at most 200 characters long');
});

test('a blog has at most a hundred keys that are not revoked', async () => {
  await run('blogs.create', {}, { blog: 'keys' });
  await run('keys.rotate', {}, { blog: 'keys' });
  for (let more = 1; more < LIMITS.keys.max; more += 1) await run('keys.create', {}, { blog: 'keys' });
  const full = 'a blog has at most 100 keys';
  expect(await problemOf('keys.create', {}, { blog: 'keys' })).toContain(full);
  await expect(store.importBlogs([{ id: 'keys', name: 'Keys', apiKeys: ['one-more-key'] }], NOW)).rejects.toThrow(full);
  const apiKeys = Array.from({ length: LIMITS.keys.max + 1 }, (_, index) => `key-${index}`);
  expect(await problemOf('import.add', { name: 'b'.repeat(64), part: { ...BLOG, apiKeys } })).toContain('100');
  await run('keys.rotate', {}, { blog: 'keys' });
  await run('keys.create', {}, { blog: 'keys' });
});

test('a command that the log does not describe is never one of people, and never in the middle of a form', async () => {
  const unlogged = Object.values(TABLE).filter((row) => row.unlogged !== undefined);
  expect(unlogged.length).toBeGreaterThan(0);
  for (const { transaction, scopes = [] } of unlogged) {
    // In a transaction of runCommand, the entry would be missing from it.
    expect(transaction).toBe('own');
    expect(scopes).not.toBe('operator');
  }
});

test('a command that can also show something writes no log entry when it only shows it', async () => {
  const showing = Object.entries(TABLE).filter(([, { isRead }]) => isRead);
  expect(showing.map(([name]) => name).toSorted()).toEqual(
    ['blogs.domains', 'blogs.publisher', 'blogs.time-zone', 'campaigns.report'].toSorted(),
  );
  const entries = async () => (await store.readLog({ offset: 0, limit: 1 })).total;
  const before = await entries();
  for (const [name, { args }] of showing) await run(name, 'campaign' in args ? { campaign: 'c' } : {});
  expect(await entries()).toBe(before);
});

test.each([
  ['logo.png', '"logo.png" is not a complete URL, such as https://news.example/logo.png'],
  ['/logo.png', '"/logo.png" has no host, but is used on other sites, too'],
  ['//news.example/logo.png', '"//news.example/logo.png" has no https://. Did you mean https://news.example/logo.png?'],
  ['https:', '"https:" is not a complete URL, such as https://news.example/logo.png'],
  ['javascript:alert(1)', 'expected a URL with https: or http: or data:'],
])('a report has no logo at %s', async (logoUrl, problem) =>
  expect(await problemOf('blogs.publisher', { logoUrl })).toBe(`logoUrl: ${problem}`),
);

test.each([null, ''])('the logo %j removes it, and the contact stays', async (none) => {
  const publisher = { logoUrl: 'https://news.example/logo.png', contact: 'ads@news.example' };
  expect(await run('blogs.publisher', publisher)).toEqual(publisher);
  expect(await run('blogs.publisher', { logoUrl: none })).toEqual({ contact: publisher.contact });
});

test('the deletion of a blog stays in the log, without the other entries about the blog', async () => {
  await run('blogs.create', {}, { blog: 'brief' });
  await run('blogs.delete', { yes: true }, { blog: 'brief' });
  const { entries } = await store.readLog({ search: 'brief', offset: 0, limit: 10 });
  expect(entries.map(({ who, what }) => `${who} ${what}`)).toEqual(['command line deleted the blog “brief” (brief)']);
});

test('a preview link expires a day later by the clock of the server, and no argument changes that', async () => {
  const args = { post: 'p', url: 'https://news.example/preview' };
  const { url } = (await run('posts.preview', args)) as { url: string };
  const [, claims = ''] = (new URL(url).searchParams.get('token') ?? '').split('.');
  expect(JSON.parse(atob(claims))).toMatchObject({ exp: NOW / 1000 + 24 * 60 * 60 });
  for (const time of ['now', 'time', 'at', 'expires']) {
    expect(await problemOf('posts.preview', { ...args, [time]: '9999-12-30T00:00:00Z' })).toContain(`unknown: ${time}`);
  }
});

test.each(['http://127.evil.example/preview', 'http://127.0.0.1.evil.example/', 'http://localhost.evil.example/'])(
  'a preview link does not lead to %s, which is not this machine',
  async (url) => expect(await problemOf('posts.preview', { post: 'p', url })).toContain('expected a page of your site'),
);

test('no command takes an API key as an argument, and importing one requires the scope all for all blogs', async () => {
  expect(
    Object.values(TABLE).flatMap(({ args }) => Object.keys(args).filter((name) => /api|secret/i.test(name))),
  ).toEqual([]);
  const actor: Actor = { name: 'token ci', scope: 'all', blogId: 'news', isOperator: false };
  for (const key of ['other-key', 'nobody-key']) {
    const part = { id: 'news', name: 'News', apiKeys: [key] };
    expect(await problemOf('import.add', { name: 'b'.repeat(64), part }, { actor })).toBe(
      'token ci is not allowed to do this: an import of API keys requires the scope all, for all blogs.',
    );
  }
  expect(await problemOf('import.add', { name: 'b'.repeat(64), part: { ...BLOG, apiKeys: [''] } })).toContain(
    'part.apiKeys.0: must be at least 1 character',
  );
});

test('a token with one scope cannot store an image or a part for a blog that does not exist', async () => {
  const actor: Actor = { name: 'token ci', scope: 'import', blogId: null, isOperator: false };
  const as = { actor, blog: 'nobody' };
  const part = { id: 'nobody', name: 'Nobody' };
  expect(await problemOf('media.add', { image: 'AAAA' }, as)).toContain(
    'an image of a new blog requires the scope all',
  );
  expect(await problemOf('import.add', { name: 'c'.repeat(64), part }, as)).toContain(
    'an import of a new blog requires',
  );
});

test('a blog has at most 2,000 parts of imports, until they are an hour old', async () => {
  await run('blogs.create', {}, { blog: 'parts' });
  const part = { id: 'parts', name: 'Parts' };
  const nameOf = (index: number) => `${index}`.padStart(64, '0');
  for (let index = 0; index < 2000; index += 1) await store.addImportPart('parts', nameOf(index), part, NOW);
  const problem = await problemOf('import.add', { part }, { blog: 'parts' });
  expect(problem).toBe('More than 2000 parts of parts wait to be imported; try again in an hour.');
  await store.addImportPart('parts', nameOf(2000), part, NOW + 60 * 60 * 1000);
  expect(await store.missingParts('parts', [nameOf(0), nameOf(2000)], NOW)).toEqual([nameOf(0)]);
  await run('blogs.delete', { yes: true }, { blog: 'parts' });
});

test('a webhook without events is refused', async () => {
  const problem = await problemOf('hooks.add', { url: 'https://site.example/', events: [] });
  expect(problem).toBe('events: must be at least 1 item long');
});

test.each([
  ['2020-01-01', 'published the post “Post”'],
  ['2099-01-01', 'scheduled the post “Post” for 2099-01-01T00:00:00.000Z'],
])('the log says what happened to a post that is scheduled for %s', async (at, what) => {
  const logged = async () =>
    (await store.readLog({ search: 'the post “Post”', offset: 0, limit: 10 })).entries.map((entry) => entry.what);
  const before = await logged();
  await run('posts.publish', { post: 'p', at });
  expect((await logged()).toSorted()).toEqual([...before, what].toSorted());
});
