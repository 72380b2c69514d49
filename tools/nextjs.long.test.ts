import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../packages/mock-server/src/index.ts';
import { putDifficultPosts } from './testing/difficult-posts.ts';
import { installExample } from './testing/installed-example.ts';
import { buildNext, startNext } from './testing/next-site.ts';
import { visitDifficult } from './testing/visit-site.ts';

// The site of the guide for Next.js, built and started as a reader would.

const folder = mkdtempSync(join(tmpdir(), 'broadsheet-nextjs-'));
const site = join(folder, 'site');

beforeAll(() => installExample('nextjs', folder));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The steps of the guide for a site without Cache Components. */
function withoutCacheComponents(): void {
  rmSync(join(site, 'next.config.ts'));
  cpSync(join(site, 'lib/reads-without-cache-components.ts'), join(site, 'lib/reads.ts'));
}

/** Builds and starts the site against a mock. Returns its URL and a function that stops it. */
async function start(mock: Mock) {
  const api = await mock.listen();
  const env = {
    BROADSHEET_BASE_URL: api.url,
    BROADSHEET_API_KEY: mock.main.apiKey,
    BROADSHEET_WEBHOOK_SECRET: mock.main.webhookSecret,
    BROADSHEET_WIDGET_KEY: 'the key that readers see',
    PROXIES: '1',
  };
  await buildNext(site, env);
  const server = await startNext(site, env);
  const stop = async () => {
    await server.stop();
    await api.close();
  };
  return { url: server.url, stop };
}

describe.each([
  ['with Cache Components', () => undefined],
  ['without Cache Components', withoutCacheComponents],
])('the Next.js site %s', (_, prepare) => {
  const mock = createMock();
  const { main: world } = mock;
  putDifficultPosts(world);
  const strange = { id: 'a/b c+d?e#100%25&ü', name: 'Strange' };
  world.put({ categories: [strange], tags: [strange] });
  let url = '';
  let stop: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    prepare();
    ({ url, stop } = await start(mock));
  });
  afterAll(() => stop?.());

  let visitors = 0;
  /** IP addresses from which nobody has clicked, not even in an earlier attempt. */
  const newVisitors = (count: number) => Array.from({ length: count }, () => `198.51.100.${++visitors}`);
  const page = async (path: string): Promise<string> => (await fetch(url + path)).text();

  test('lists posts, and shows each, its category, its tags, and the results of a search', async () => {
    const index = await page('/');
    const links = [...index.matchAll(/<a href="(\/posts\/[^"]+)">([^<]+)</g)];
    expect(links).toHaveLength(20);
    const [, first = '', title = ''] = links.find(([, , name]) => !name?.startsWith('Difficult')) ?? [];
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

  test('shows a post that was not rendered at build time, its content rendered and sanitized', async () => {
    const post = world.blog.posts?.find(
      ({ slug, status }) => status === 'PUBLISHED' && !index().includes(`${slug}.html`),
    );
    const content = '**loud** <script>alert("from a post")</script>';
    world.put({ posts: [{ ...post, content } as NonNullable<typeof post>] });
    const shown = await page(`/posts/${post?.slug}`);
    expect(shown).toContain(`<h1>${post?.title}</h1>`);
    expect(shown).toContain('<strong>loud</strong>');
    expect(shown).not.toContain('from a post');
  });
  const index = () => readdirSync(join(site, '.next/server/app/posts'));

  test('shows posts, categories and tags whatever characters their slugs and ids have', async () => {
    await visitDifficult((path) => fetch(url + path), world);
    for (const kind of ['categories', 'tags']) {
      const path = `/${kind}/${encodeURIComponent(strange.id)}`;
      expect([path, await page(path)]).toEqual([path, expect.stringContaining('<h1>Strange</h1>')]);
      for (const unknown of ['100%25', 'a%252Fb', '%25'])
        expect([unknown, (await fetch(`${url}/${kind}/${unknown}`)).status]).toEqual([unknown, 404]);
    }
  });

  test('responds with 404 for a page that does not exist', async () => {
    for (const path of ['/posts/nowhere', '/categories/nowhere', '/tags/nowhere']) {
      expect((await fetch(url + path)).status, path).toBe(404);
    }
  });

  test('delivers an ad and counts its click for the visitor through the route handler', async () => {
    const before = clicks();
    const [address] = newVisitors(1);
    const headers = { origin: `https://${world.blog.domains?.[0] ?? 'my.blog'}`, 'x-forwarded-for': address ?? '' };
    const ad = await (await fetch(`${url}/api/ad?format=BANNER`, { headers })).json();
    expect(ad).toMatchObject({ filled: true, clickToken: expect.any(String) });
    const body = JSON.stringify({ token: ad.clickToken });
    const click = await fetch(`${url}/api/ad`, { method: 'POST', body, headers });
    expect(await click.json()).toEqual({ ok: true });
    expect(world.ad(ad.id).impressions).toBeGreaterThan(0);
    expect(clicks() - before).toBe(1);
    expect(await (await fetch(`${url}/api/ad?format=NONE`)).json()).toEqual({ filled: false });
  });

  test('counts the ads and clicks of visitors with different IP addresses separately', async () => {
    const origin = `https://${world.blog.domains?.[0] ?? 'my.blog'}`;
    const before = clicks();
    for (const address of newVisitors(3)) {
      const headers = { origin, 'x-forwarded-for': address };
      const ad = await (await fetch(`${url}/api/ad?format=SIDEBAR`, { headers })).json();
      const body = JSON.stringify({ token: ad.clickToken });
      expect((await fetch(`${url}/api/ad`, { method: 'POST', body, headers })).status).toBe(200);
    }
    expect(clicks() - before).toBe(3);
  });
  const clicks = () => (world.blog.ads ?? []).reduce((sum, { id }) => sum + world.ad(id).clicks, 0);

  test('returns the status of the error for invalid requests', async () => {
    const post = async (path: string, body?: string) =>
      (await fetch(url + path, { method: 'POST', ...(body !== undefined && { body }) })).status;
    for (const body of [undefined, 'junk', '{}']) {
      expect(await post('/api/revalidate', body)).toBe(400);
      expect(await post('/api/ad', body)).toBe(400);
    }
  });

  test('sends an ad with a page that depends on the request, and the tags of the widget with every page', async () => {
    const shown = await page('/search');
    const [, json = '{}'] =
      /<script type="application\/json" data-broadsheet-delivered>(.*?)<\/script>/.exec(shown) ?? [];
    expect(JSON.parse(json)).toMatchObject({ results: [{ slotId: 'search', format: 'INLINE', filled: true }] });
    const { posts: [post] = [] } = world.blog;
    for (const html of [shown, await page('/'), await page(`/posts/${post?.slug}`)]) {
      expect(html).toMatch(/<script[^>]*src="http[^"]+\/broadsheet\.js"[^>]*data-api-key="the key that readers see"/);
      expect(html).toContain('<broadsheet-slot name="foot" format="BANNER">');
    }
  });

  test('lists the older posts of a tag on further pages', async () => {
    const posts = Array.from({ length: 51 }, (_, index) => ({
      ...{ id: `many-${index}`, slug: `many-${index}`, title: `Many ${index}`, status: 'PUBLISHED' as const },
      ...{ publishedAt: '2020-01-01T00:00:00.000Z', tagIds: ['many'] },
    }));
    world.put({ tags: [{ id: 'many', name: 'Many' }], posts });
    const first = await page('/tags/many');
    expect(first.match(/href="\/posts\/many-/g)).toHaveLength(50);
    expect(first).toContain('href="/tags/many/2"');
    expect((await page('/tags/many/2')).match(/href="\/posts\/many-/g)).toHaveLength(1);
    for (const path of ['/tags/many/3', '/tags/many/0', '/tags/many/x', '/tags/many/2/1']) {
      expect((await fetch(url + path)).status, path).toBe(404);
    }
  });

  test('shows a changed post once the webhook has reported it', async () => {
    const [post] = world.blog.posts ?? [];
    const path = `/posts/${post?.slug}`;
    const title = `Changed ${randomUUID()}`;
    world.put({ posts: [{ ...post, title } as NonNullable<typeof post>] });
    expect(await page(path)).not.toContain(title);
    const send = async (secret?: string) => {
      const options = { id: post?.id ?? '', url: `${url}/api/revalidate`, ...(secret && { secret }) };
      return (await fetch(await world.webhook('post.updated', options))).status;
    };
    expect(await send(`whsec_${btoa('a secret that somebody guessed')}`)).toBe(401);
    expect(await page(path)).not.toContain(title);
    expect(await send()).toBe(204);
    await expect.poll(() => page(path)).toContain(`<h1>${title}</h1>`);
  });

  test('shows every page unchanged while the API is down, even after a change', async () => {
    const [post, other] = world.blog.posts ?? [];
    const paths = ['/', `/posts/${post?.slug}`, `/posts/${other?.slug}`];
    for (const path of paths) expect((await fetch(url + path)).status, path).toBe(200);
    expect(
      (await fetch(await world.webhook('post.updated', { id: post?.id ?? '', url: `${url}/api/revalidate` }))).status,
    ).toBe(204);
    const outage = world.fail('*', 503);
    for (const path of [...paths, ...paths]) expect((await fetch(url + path)).status, path).toBe(200);
    outage.lift();
  });

  test('shows a draft to the person who opens its preview link, and to nobody else', async () => {
    world.put({ posts: [{ id: 'soon', title: 'Soon to come', slug: 'soon', status: 'DRAFT' }] });
    const open = (query: string) => fetch(`${url}/preview?${query}`, { redirect: 'manual' });
    const opened = await open(`token=${await world.preview('soon')}&url=https://evil.example&slug=other`);
    expect([opened.status, opened.headers.get('location')]).toEqual([307, '/posts/soon']);
    const cookie = opened.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const shown = await fetch(`${url}/posts/soon`, { headers: { cookie } });
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<h1>Soon to come</h1>')]);
    expect(shown.headers.get('cache-control')).toContain('no-store');
    expect((await fetch(`${url}/posts/soon`)).status).toBe(404);
    const [other] = world.blog.posts ?? [];
    const elsewhere = await (await fetch(`${url}/posts/${other?.slug}`, { headers: { cookie } })).text();
    expect(elsewhere).not.toContain('Soon to come');
    expect(elsewhere).toContain('<a href="/preview">');
    expect(await page(`/posts/${other?.slug}`)).not.toContain('<a href="/preview">');
    const left = await fetch(`${url}/preview`, { headers: { cookie }, redirect: 'manual' });
    expect([left.status, left.headers.get('location')]).toEqual([307, '/']);
    for (const name of ['preview', '__prerender_bypass']) {
      expect(left.headers.getSetCookie().find((one) => one.startsWith(`${name}=;`))).toMatch(
        /Expires=Thu, 01 Jan 1970/,
      );
    }
    expect((await open('token=a.b.c')).status).toBe(401);
    world.clock.advance('24h');
    expect((await fetch(`${url}/posts/soon`, { headers: { cookie } })).status).toBe(404);
  });

  test('never sends the key to a browser', async () => {
    const built = join(site, '.next/static');
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|css)$/.test(file));
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect(readFileSync(join(built, file), 'utf8'), file).not.toContain(world.apiKey);
    expect(await page('/')).not.toContain(world.apiKey);
  });
});
