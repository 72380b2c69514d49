import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock } from '../packages/mock-server/src/index.ts';
import { buildSdk, installExample } from './testing/installed-example.ts';

// The Next.js example as a reader would have it: installed with the packed SDK, built, and started.

const site = mkdtempSync(join(tmpdir(), 'broadsheet-nextjs-'));
const mock = createMock();
const { main: world } = mock;
const stops: (() => unknown)[] = [];
const SECRET = 'only-for-this-test';
let url = '';

beforeAll(async () => {
  buildSdk();
  installExample('nextjs', site);

  const api = await mock.listen();
  stops.push(() => api.close());
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    NEXT_TELEMETRY_DISABLED: '1',
    BROADSHEET_BASE_URL: api.url,
    BROADSHEET_API_KEY: world.apiKey,
    REVALIDATE_SECRET: SECRET,
    TRUST_PROXY: '1',
  };
  const next = join(site, 'node_modules/next/dist/bin/next');
  // Not synchronously: the mock answers from this process.
  const build = spawn(process.execPath, [next, 'build'], { cwd: site, env });
  let said = '';
  for (const stream of [build.stdout, build.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error(`next build ended with ${code}:\n${said}`);

  const server = spawn(process.execPath, [next, 'start', '--port', '0', '--hostname', '127.0.0.1'], { cwd: site, env });
  stops.push(() => server.kill());
  url = await new Promise<string>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`next start ended with ${code}`)));
    server.stdout.on('data', (chunk) => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk)) ?? [];
      if (found) resolve(found);
    });
  });
}, 600_000);

afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  rmSync(site, { recursive: true, force: true });
});

const page = async (path: string): Promise<string> => (await fetch(url + path)).text();

test('lists posts, and shows each, its category, its tags, and what a search finds', async () => {
  const index = await page('/');
  const links = [...index.matchAll(/<a href="(\/posts\/[^"]+)">([^<]+)</g)];
  expect(links).toHaveLength(20);
  const [, first = '', title = ''] = links[0] ?? [];
  expect(await page(first)).toContain(`<h1>${title}</h1>`);
  for (const kind of ['categories', 'tags'] as const) {
    const [label] = world.blog[kind] ?? [];
    const shown = await page(`/${kind}/${label?.id}`);
    expect(shown).toContain(`<h1>${label?.name}</h1>`);
    expect(shown).toMatch(/<a href="\/posts\//);
  }
  expect(await page(`/search?q=${encodeURIComponent(title.split(' ')[1] ?? '')}`)).toMatch(/<a href="\/posts\//);
  expect(await page('/search?q=ab')).toMatch(/role="alert">[^<]*3/);
});

test('what there is not is a 404', async () => {
  for (const path of ['/posts/nowhere', '/categories/nowhere', '/tags/nowhere']) {
    expect((await fetch(url + path)).status, path).toBe(404);
  }
});

test('delivers an ad and counts its click by the route handler, for the visitor', async () => {
  const headers = { origin: `https://${world.blog.domains?.[0] ?? 'my.blog'}`, 'x-forwarded-for': '203.0.113.9' };
  const ad = await (await fetch(`${url}/api/ad?format=BANNER`, { headers })).json();
  expect(ad).toMatchObject({ filled: true, clickToken: expect.any(String) });
  const body = JSON.stringify({ token: ad.clickToken });
  const click = await fetch(`${url}/api/ad`, { method: 'POST', body, headers });
  expect(await click.json()).toEqual({ ok: true });
  expect(world.ad(ad.id)).toMatchObject({ impressions: 1, clicks: 1 });
  expect(await (await fetch(`${url}/api/ad?format=NONE`)).json()).toEqual({ filled: false });
});

test('a changed post is shown once its tags are thrown away', async () => {
  const [post] = world.blog.posts ?? [];
  const path = `/posts/${post?.slug}`;
  world.put({ posts: [{ ...post, title: 'Changed since' } as NonNullable<typeof post>] });
  expect(await page(path)).not.toContain('Changed since');
  const renew = (secret: string) =>
    fetch(`${url}/api/revalidate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ id: post?.id }),
    });
  expect((await renew('a guess')).status).toBe(401);
  expect(await (await renew(SECRET)).json()).toEqual({ tags: ['posts', `post:${post?.id}`] });
  expect(await page(path)).toContain('<h1>Changed since</h1>');
});

test('the key is in nothing that a browser gets', async () => {
  const built = join(site, '.next/static');
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|css)$/.test(file));
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect(readFileSync(join(built, file), 'utf8'), file).not.toContain(world.apiKey);
  expect(await page('/')).not.toContain(world.apiKey);
});
