import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { seedsOf } from '../../../tools/testing/seeds.ts';
import { fetchAlone } from '../../../tools/testing/workerd.ts';
import type { Rule } from '../../contract/src/index.ts';
import { type Argument, COMMAND_LINE, type Command, type CommandTable } from '../../management/src/commands/command.ts';
import { COMMANDS } from '../../management/src/commands/commands.ts';
import { runCommand } from '../../management/src/commands/run-command.ts';
import { OperationError } from '../../management/src/operations/operation-error.ts';
import { formToken } from '../../panel/src/access/visit.ts';
import { type Deployment, deploy } from '../../workers/test/deployment.ts';
import { createImportQueue } from '../src/operators/import-queue.ts';
import { command } from './command.ts';
import { AD, BLOG, PART, resultsOf, SEQUENCE } from './command-sequence.ts';
import { type InProcessServer, serveInProcess } from './in-process.ts';

const TABLE: CommandTable = COMMANDS;
/** Commands that only the machine of a server may run; a deployment has no panel. */
const ON_THE_MACHINE = [
  'tokens.create',
  'tokens.list',
  'tokens.revoke',
  'panel.invite',
  'panel.people',
  'panel.revoke',
];

const folder = temporaryFolder();
let server: InProcessServer;
let deployment: Deployment;
const tokenOf = (scope: string) => `bst_${scope.padEnd(43, '0')}`;
beforeAll(async () => {
  server = await serveInProcess(`sqlite:${join(folder.path, 'commands.db')}`);
  for (const scope of ['all', 'import', 'ads', 'stats'] as const) {
    const record = { name: scope, scope, blogId: null, createdAt: new Date().toISOString(), expiresAt: null };
    await server.store.createToken(record, tokenOf(scope));
  }
  deployment = await deploy();
});
afterAll(async () => {
  await server?.stop();
  await deployment?.stop();
});

const run = (name: string, blog: string, args: unknown) =>
  runCommand({ store: server.store, now: Date.now(), commands: TABLE }, { name, blog, args, actor: COMMAND_LINE });

async function post(url: string, token: string, { name, blog, body }: { name: string; blog: string; body: string }) {
  const path = blog === '' ? `/manage/${name}` : `/manage/blogs/${blog}/${name}`;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetchAlone(new Request(url + path, { method: 'POST', headers, body }));
  return { status: response.status, text: await response.text() };
}

/** The flag of an argument on the command line. */
const flagOf = (key: string, { name = key }: Argument): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
const isOptional = ({ kind }: Rule): boolean => kind === 'optional' || kind === 'fallback';
const isChoice = (rule: Rule): boolean => ('inner' in rule ? isChoice(rule.inner) : rule.kind === 'choice');

// The order matters, because hostile commands leave other data behind.
describe('every command', { shuffle: false }, () => {
  it('each command gives the same result on a database, over HTTP and on Workers', async () => {
    const called = new Set(SEQUENCE.map(([name]) => name));
    expect(Object.keys(TABLE).filter((name) => !called.has(name) && !ON_THE_MACHINE.includes(name))).toEqual([]);
    const local = await resultsOf(run);
    expect(Object.entries(local).filter(([, result]) => JSON.stringify(result).includes('"failed"'))).toEqual([]);
    const remote = await resultsOf(async (name, blog, args) => {
      const { text } = await post(server.url, tokenOf('all'), { name, blog, body: JSON.stringify(args) });
      const { result, error } = JSON.parse(text) as { result?: unknown; error?: { message: string } };
      if (error) throw new Error(error.message);
      return result;
    });
    expect(remote).toEqual(local);
    expect(await resultsOf((name, blog, args) => deployment.manage(blog, name, args))).toEqual(local);
  }, 60_000);

  /** Texts that are typed, and values that programs send. */
  const TEXT = fc.constantFrom(
    ...['', ' ', '0', '-1', '1e9', 'NaN', 'null', '..', '../..', 'new', '__proto__', 'constructor', 'toString'],
    ...["'; drop table blogs; --", '%00', '\u202e', '\ufeff', '🍵'.repeat(200), 'x'.repeat(20_000), '<script>', '\n'],
    ...['9999-12-31T23:59:59Z', '-000001-01-01', '2026-02-30', 'Europe/Nowhere', 'javascript:alert(1)', 'http://[::1'],
  );
  const VALUE: fc.Arbitrary<unknown> = fc.oneof(
    TEXT,
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e300, 2 ** 53, 'a\0b', '\ud800', [], {}, [[]], { length: -1 }),
    fc.constantFrom<unknown>(['a', 'a'], [null], { id: 'news', __proto__: null }, 'a'.repeat(70_000)),
    fc.array(TEXT, { maxLength: 3 }),
    fc.jsonValue({ maxDepth: 3 }),
  );
  /** A value that the rule accepts or nearly accepts. */
  const likely = (rule: Rule): fc.Arbitrary<unknown> => {
    switch (rule.kind) {
      case 'optional':
      case 'nullable':
      case 'fallback':
        return likely(rule.inner);
      case 'flag':
        return fc.boolean();
      case 'integer':
        return fc.constantFrom(0, 1, 5, 1000);
      case 'choice':
        return fc.constantFrom(...rule.values);
      case 'list':
        return fc.array(likely(rule.item), { maxLength: 2 });
      default:
        return fc.constantFrom('p', 'c', AD, 'news', '2030-01-01', 'https://site.example/', PART, 'UTC');
    }
  };

  /** A call of a command, with all arguments or some, of which about half are hostile. */
  const call = (name: string, hostile: fc.Arbitrary<unknown>) => {
    const { args, on } = TABLE[name] as Command;
    const values = Object.entries(args).map(([key, { rule }]) => [key, fc.oneof(likely(rule), hostile)] as const);
    const record = Object.fromEntries(values);
    return fc.record({
      blog: fc.constantFrom(...(on === 'server' ? [''] : ['news', 'news', 'missing'])),
      args: fc.oneof(fc.record(record), fc.record(record, { requiredKeys: [] })),
    });
  };

  /** Checks a property of calls on every command, so that every argument of every command gets hostile values. */
  async function everyCommand(
    names: readonly string[],
    { hostile, numRuns }: { readonly hostile: fc.Arbitrary<unknown>; readonly numRuns: number },
    property: (called: { readonly name: string; readonly blog: string; readonly args: object }) => Promise<void>,
  ) {
    for (const name of names) {
      const called = fc.asyncProperty(call(name, hostile), async (given) => {
        if (name === 'blogs.delete') await putBlogBack();
        await property({ name, ...given });
      });
      for (const seed of seedsOf()) await fc.assert(called, { seed, numRuns });
    }
  }

  const putBlogBack = () => server.store.importBlogs([BLOG], Date.now());

  it('hostile arguments of any command are refused with a reason, on the server itself', async () => {
    await putBlogBack();
    await everyCommand(Object.keys(TABLE), { hostile: VALUE, numRuns: 30 }, async ({ name, blog, args }) => {
      const error = await run(name, blog, args).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) return;
      expect([error instanceof OperationError, String(error)]).toEqual([true, expect.stringMatching(/\w/)]);
    });
  }, 60_000);

  it('hostile arguments of any command are refused with a reason over HTTP, for every scope', async () => {
    await putBlogBack();
    const scopes = ['all', 'all', 'all', 'import', 'ads', 'stats'];
    let turn = 0;
    await everyCommand(Object.keys(TABLE), { hostile: VALUE, numRuns: 8 }, async ({ name, blog, args }) => {
      const token = tokenOf(scopes[turn++ % scopes.length] ?? '');
      const { status, text } = await post(server.url, token, { name, blog, body: JSON.stringify(args) });
      expect([200, 400, 403, 404, 409, 413], `${name}: ${text}`).toContain(status);
      const { error } = JSON.parse(text) as { error?: { message: string } };
      expect(status === 200 || error?.message, text).toBeTruthy();
    });
    for (const body of ['', '[', '[]', 'null', '"x"', '{"a":1}', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`]) {
      const { status } = await post(server.url, tokenOf('all'), { name: 'keys.list', blog: 'news', body });
      expect([body.slice(0, 20), status]).toEqual([body.slice(0, 20), body === '' ? 200 : 400]);
    }
  }, 60_000);

  it('hostile texts typed as flags of any command are refused in one sentence, with exit code 2', async () => {
    await putBlogBack();
    const { cwd } = { cwd: folder.path };
    const names = Object.keys(TABLE).filter((name) => {
      const { help, on } = TABLE[name] as Command;
      return help !== undefined && on !== 'new blog' && name !== 'blogs.delete' && name !== 'hooks.test';
    });
    await everyCommand(names, { hostile: TEXT, numRuns: 4 }, async ({ name, blog, args }) => {
      const row = TABLE[name] as Command;
      const texts = (value: unknown) => [value].flat().map(String);
      const typed = Object.entries(row.args).flatMap(([key, argument]) => {
        if (!Object.hasOwn(args, key) || argument.by === 'program') return [];
        const values = texts((args as Record<string, unknown>)[key]);
        if (argument.by === 'position') return values;
        const flag = flagOf(key, argument);
        return argument.value === '' ? [flag] : values.map((text) => `${flag}=${text}`);
      });
      const isOnBlog = row.on !== 'server' && row.on !== 'each blog';
      const words = [...name.split('.'), ...(isOnBlog ? [blog] : []), ...typed.filter((text) => !/^-\d/.test(text))];
      const { code, stderr } = await command([...words, '--database', 'sqlite:commands.db'], { cwd });
      expect([words.join(' ').slice(0, 200), code === 0 || code === 2, stderr]).toEqual([
        expect.any(String),
        true,
        expect.not.stringMatching(/unexpected|^ {4}at /m),
      ]);
    });
  }, 60_000);

  it('a problem of a flag is reported with the name of the flag', async () => {
    const flags = Object.entries(TABLE).flatMap(([name, { help, args }]) =>
      Object.entries(args)
        .filter(([, { by, value, rule }]) => help !== undefined && by === 'flag' && value !== '' && !isChoice(rule))
        .map(([key, argument]) => ({ name, flag: flagOf(key, argument) })),
    );
    expect(flags.length).toBeGreaterThan(30);
    const samples: Readonly<Record<string, string>> = { ad: AD, campaign: 'c', post: 'p' };
    for (const { name, flag } of flags) {
      const { args, on } = TABLE[name] as Command;
      const positions = Object.entries(args).filter(
        ([, { by, rule }]) => by === 'position' && rule.kind !== 'optional',
      );
      const required = Object.entries(args).filter(([, { by, rule }]) => by === 'flag' && !isOptional(rule));
      const words = [
        ...name.split('.'),
        ...(on === 'server' ? [] : ['news']),
        ...positions.map(([key]) => samples[key] ?? 'x'),
        ...required.map(([key, argument]) => `${flagOf(key, argument)}=${key === 'scope' ? 'all' : 'x'}`),
        `${flag}=${'x'.repeat(70_000)}`,
      ];
      const { code, stderr } = await command([...words, '--database', 'sqlite:commands.db'], { cwd: folder.path });
      expect([name, flag, code]).toEqual([name, flag, 2]);
      expect(stderr, name).toMatch(new RegExp(`(^broadsheet:|^ ) ${flag}: `, 'm'));
    }
  }, 60_000);

  it('hostile texts in the forms of the panel give a page with the reason', async () => {
    await putBlogBack();
    const { store, url } = server;
    await store.invitePerson({ name: 'Ada', role: 'manage', blogId: null }, 'a-link', Date.now());
    const signedIn = await fetch(`${url}/panel/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: url },
      body: new URLSearchParams({ invitation: 'a-link' }),
    });
    const session = /broadsheet-panel=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? '';
    expect(session).not.toBe('');
    const { createApp } = await import('../../panel/src/app.ts');
    const routes = createApp({ store, runAlone: createImportQueue() }).routes.filter(
      ({ method, path }) => method === 'POST' && /\/\w+\.[\w-]+$/.test(path),
    );
    const pathOf = new Map(routes.map(({ path }) => [path.split('/').at(-1) ?? '', path.replace(':blog', 'news')]));
    expect(pathOf.size).toBeGreaterThan(20);
    const names = [...pathOf.keys()].filter((name) => name !== 'blogs.delete' && name !== 'panel.revoke');
    await everyCommand(names, { hostile: TEXT, numRuns: 5 }, async ({ name, args }) => {
      const path = pathOf.get(name) ?? '';
      const body = new URLSearchParams({ token: formToken(session, path) });
      for (const [key, value] of Object.entries(args))
        for (const text of [value].flat()) body.append(key, String(text));
      const headers = { origin: url, cookie: `broadsheet-panel=${session}` };
      const response = await fetch(url + path, { method: 'POST', redirect: 'manual', headers, body });
      const text = await response.text();
      expect([200, 303, 400, 403, 404, 409], `${name}: ${text.slice(-500)}`).toContain(response.status);
    });
  }, 60_000);
});
