import { existsSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openapi } from '@broadsheet/contract/schemas';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { TEST_BLOG } from '../../../http/test/memory-server-store.ts';
import { broadsheet, serve } from '../../test/broadsheet.ts';
import { command } from '../../test/command.ts';
import { createProgram } from './program.ts';

const folder = temporaryFolder();
let cwd: string;
beforeAll(async () => {
  cwd = folder.path;
  await writeFile(join(cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
});

/** Runs a command that must succeed and reads the JSON it prints. */
async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await command([...args, '--json'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as T;
}

const status = async (url: string, apiKey: string) =>
  (await fetch(`${url}/public/posts`, { headers: { 'X-API-Key': apiKey } })).status;

describe('an operator', () => {
  it('an operator can create a blog, add an ad, and see its impressions and clicks while the server is running', async () => {
    const database = ['--database', 'sqlite:shop.db'];
    const { apiKey } = await json<{ apiKey: string }>(
      'blogs',
      'create',
      'shop',
      '--domain',
      'shop.example',
      ...database,
    );
    const ad = await json<{ id: string }>('ads', 'add', 'shop', '--format', 'BANNER', '--title', 'Tea', ...database);
    const server = await serve(database, { cwd });
    try {
      const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', Origin: 'https://shop.example' };
      const delivery = await fetch(`${server.url}/public/ads/formats/BANNER`, { headers });
      const { id, clickToken } = (await delivery.json()) as { id: string; clickToken: string };
      expect(id).toBe(ad.id);
      const body = JSON.stringify({ clickToken });
      const click = await fetch(`${server.url}/public/ads/tracking/click`, { method: 'POST', headers, body });
      expect(click.status).toBe(200);
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics).toContain('broadsheet_clicks_total{outcome="counted"} 1\n');
      expect(metrics).toContain('# TYPE broadsheet_store_commits_total counter\nbroadsheet_store_commits_total 2\n');
      expect(metrics).toContain('broadsheet_store_committed_events_total 2\n');

      const stats = await json<{ days: { day: string }[] }>('stats', 'shop', ...database);
      const day = stats.days[0]?.day;
      const unseen = { delivered: 1, valid: 1, viewable: 0, viewableRate: null };
      expect(stats).toEqual({
        blog: 'shop',
        campaigns: [],
        ads: [{ id: ad.id, format: 'BANNER', title: 'Tea', impressions: 1, ...unseen, clicks: 1, ctr: 1 }],
        placements: [],
        days: [{ day, adId: ad.id, impressions: 1, ...unseen, clicks: 1, ctr: 1 }],
        excluded: [],
        unknown: [{ day, reason: 'unknown', impressions: 1 }],
      });
      const table = await command(['stats', 'shop', ...database], { cwd });
      expect(table.stdout).toMatch(/Tea +BANNER +1 +1 +– +– +1 +100\.00 % +█{24}\n/);

      await command(['ads', 'pause', 'shop', ad.id, ...database], { cwd });
      await expect
        .poll(async () => (await fetch(`${server.url}/public/ads/formats/BANNER`, { headers })).json(), {
          timeout: 5000,
        })
        .toEqual({ filled: false });
      await command(['ads', 'resume', 'shop', ad.id, ...database], { cwd });
      expect(await json('ads', 'list', 'shop', ...database)).toMatchObject([{ id: ad.id, active: true }]);
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });

  it('a running server refuses rotated and revoked keys', async () => {
    const database = ['--database', 'sqlite:keys.db'];
    const server = await serve(['--import', 'blog.json', ...database], { cwd });
    try {
      expect(await status(server.url, 'test-key')).toBe(200);
      const { apiKey } = await json<{ apiKey: string }>('keys', 'rotate', 'news', ...database);
      await expect.poll(() => status(server.url, 'test-key'), { timeout: 5000 }).toBe(401);
      expect(await status(server.url, apiKey)).toBe(200);
      const keys = await json<{ id: string; revokedAt: string | null }[]>('keys', 'list', 'news', ...database);
      const valid = keys.filter(({ revokedAt }) => revokedAt === null);
      expect([keys.length, valid.length]).toEqual([2, 1]);
      await command(['keys', 'revoke', 'news', valid[0]?.id ?? '', ...database], { cwd });
      await expect.poll(() => status(server.url, apiKey), { timeout: 5000 }).toBe(401);
    } finally {
      await server.stop();
    }
  });

  it('an exported blog can be imported unchanged', async () => {
    await command(['import', 'blog.json', '--database', 'sqlite:a.db'], { cwd });
    const first = await command(['export', 'news', '--database', 'sqlite:a.db'], { cwd });
    await writeFile(join(cwd, 'export.json'), first.stdout);
    const again = await json<{ blogs: { newKey?: string }[] }>('import', 'export.json', '--database', 'sqlite:b.db');
    expect(again.blogs[0]?.newKey).toBeTypeOf('string');
    expect((await command(['export', 'news', '--database', 'sqlite:b.db'], { cwd })).stdout).toBe(first.stdout);
  });

  it('an export that reads posts in parts prints one JSON document', async () => {
    const posts = Array.from({ length: 450 }, (_, index) => ({
      ...{ id: `p${index}`, slug: `s${index}`, title: `"posts": [] ${index}` },
      ...{ content: 'one\ntwo', status: index % 2 ? 'DRAFT' : 'PUBLISHED' },
    }));
    const blogs = [
      { id: 'large', name: '"posts": []', posts },
      { id: 'empty', name: 'Empty' },
    ];
    await writeFile(join(cwd, 'parts.json'), JSON.stringify({ blogs }));
    await command(['import', 'parts.json', '--database', 'sqlite:parts.db'], { cwd });
    for (const { id, posts = [] } of blogs) {
      const { stdout } = await command(['export', id, '--database', 'sqlite:parts.db'], { cwd });
      const exported = JSON.parse(stdout) as { blogs: [{ posts: { id: string }[] }] };
      expect(stdout.trimEnd().split('\n'), 'each post is a line').toHaveLength(posts.length + 2);
      expect(new Set(exported.blogs[0].posts.map((post) => post.id))).toEqual(new Set(posts.map((post) => post.id)));
    }
  });

  it.skipIf(!existsSync('/dev/full'))('an export to a full disk fails with a message', async () => {
    await command(['import', 'blog.json', '--database', 'sqlite:full.db'], { cwd });
    const full = await open('/dev/full', 'w');
    const { code, stderr } = await broadsheet(['export', 'news', '--database', 'sqlite:full.db'], {
      cwd,
      stdout: full.fd,
    });
    await full.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/the output is not complete: .*ENOSPC/),
    });
  });

  it('ads list shows the state of each ad by its dates', async () => {
    const day = 24 * 60 * 60 * 1000;
    const on = (days: number) => new Date(Date.now() + days * day).toISOString();
    const id = (end: number) => `3f2504e0-4f89-41d3-9a0c-0305e82c330${end}`;
    const ads = [
      { id: id(1), endsAt: on(-1) },
      { id: id(2), startsAt: on(1) },
      { id: id(3), active: false },
    ];
    const blog = { id: 'dated', name: 'D', ads: ads.map((ad) => ({ ...ad, format: 'BANNER' })) };
    await writeFile(join(cwd, 'dated.json'), JSON.stringify({ blogs: [blog] }));
    const database = ['--database', 'sqlite:dated.db'];
    await command(['import', 'dated.json', ...database], { cwd });
    const tomorrow = on(1).slice(0, 10);
    const args = [
      '--format',
      'banner',
      '--title',
      'T',
      '--link',
      'https://tea.example',
      '--starts',
      on(-1).slice(0, 10),
      '--ends',
      tomorrow,
    ];
    const added = await json<{ id: string }>('ads', 'add', 'dated', ...args, ...database);
    expect(added).toMatchObject({
      format: 'BANNER',
      linkUrl: 'https://tea.example',
      endsAt: `${tomorrow}T23:59:59.999Z`,
    });
    const { stdout } = await command(['ads', 'list', 'dated', ...database], { cwd });
    const states = [...stdout.matchAll(/(\S+) +BANNER +0 +(\w+)/g)].map(([, ad, state]) => [ad, state]);
    expect(Object.fromEntries(states)).toEqual({
      [id(1)]: 'ended',
      [id(2)]: 'waiting',
      [id(3)]: 'paused',
      [added.id]: 'running',
    });
  });

  it('blogs domains shows and changes the domains of a blog', async () => {
    const database = ['--database', 'sqlite:domains.db'];
    await command(['blogs', 'create', 'd', ...database], { cwd });
    expect(await json('blogs', 'domains', 'd', ...database)).toEqual({ blog: 'd', domains: [] });
    await command(['blogs', 'domains', 'd', 'a.example', '*.b.example:8080', ...database], { cwd });
    expect(await json('blogs', 'list', ...database)).toMatchObject([
      { id: 'd', domains: ['a.example', '*.b.example:8080'] },
    ]);
    const set = (...args: string[]) => json('blogs', 'domains', 'd', ...args, ...database);
    expect(await set('a.example')).toEqual({ blog: 'd', domains: ['a.example'] });
    expect(await set('--add', 'localhost', 'a.example')).toEqual({ blog: 'd', domains: ['a.example', 'localhost'] });
    const moved = { blog: 'd', domains: ['localhost', 'c.example'] };
    expect(await set('--remove', 'a.example', '--add', 'c.example')).toEqual(moved);
    const emptied = ['blogs', 'domains', 'd', '--remove', 'localhost', 'c.example', ...database];
    expect((await command(emptied, { cwd })).stderr).toMatch(/clear the list to allow that/);
    await command(['blogs', 'domains', 'd', '--clear', ...database], { cwd });
    expect(await json('blogs', 'domains', 'd', ...database)).toEqual({ blog: 'd', domains: [] });
  });

  it('blogs time-zone shows and changes the time zone of a blog', async () => {
    const database = ['--database', 'sqlite:zones.db'];
    await command(['blogs', 'create', 'z', ...database], { cwd });
    expect(await json('blogs', 'time-zone', 'z', ...database)).toEqual({ blog: 'z', timeZone: 'UTC' });
    const { stdout } = await command(['blogs', 'time-zone', 'z', 'Europe/Berlin', ...database], { cwd });
    expect(stdout).toBe('Europe/Berlin\n');
    expect(await json('blogs', 'list', ...database)).toMatchObject([{ id: 'z', timeZone: 'Europe/Berlin' }]);
    const { stderr, code } = await command(['blogs', 'time-zone', 'z', 'Berlin', ...database], { cwd });
    expect([stderr, code]).toEqual([
      'broadsheet: zone: "Berlin" is not a time zone; expected a name such as Europe/Berlin, America/New_York or UTC\n',
      2,
    ]);
    expect(await json('blogs', 'time-zone', 'z', ...database)).toEqual({ blog: 'z', timeZone: 'Europe/Berlin' });
  });
});

it('openapi prints the OpenAPI document', async () => {
  const { stdout } = await command(['openapi'], { cwd });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(openapi())));
});

const isDatabase = ({ long }: { long?: string }) => long === '--database';
const isJson = ({ long }: { long?: string }) => long === '--json';

it('every command has help with examples that name it, and --json where it reads a database', async () => {
  const leaves = (command: Command, path: string): [string, Command][] =>
    command.commands.length === 0
      ? [[path, command]]
      : command.commands.flatMap((child) => leaves(child, `${path} ${child.name()}`));
  const all = leaves(createProgram(), 'broadsheet');
  expect(all.length).toBeGreaterThan(14);
  const onDatabases = all.filter(([, { options }]) => options.some(isDatabase));
  const withoutJson = onDatabases.filter(([, { options }]) => !options.some(isJson)).map(([path]) => path);
  // An export is always JSON.
  expect(withoutJson).toEqual(['broadsheet serve', 'broadsheet export']);
  for (const [path, command] of all) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    expect(help).toContain(`Examples:\n  $ ${path}`);
    expect(command.options.map(({ description }) => description)).not.toContain('');
  }
});

it('--version prints the version', async () => {
  const { stdout } = await command(['--version'], { cwd });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
