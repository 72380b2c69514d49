import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../packages/mock-server/src/index.ts';
import { buildSdk, installExample } from './testing/installed-example.ts';
import { buildNext, startNext } from './testing/next-site.ts';

// The Next.js example, installed with the packed SDK, built and started as a reader would.

const site = mkdtempSync(join(tmpdir(), 'broadsheet-nextjs-'));

beforeAll(() => {
  buildSdk();
  installExample('nextjs', site);
}, 600_000);

afterAll(() => rmSync(site, { recursive: true, force: true }));

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
    TRUST_PROXY: '1',
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
])('the Next.js example %s', (_, prepare) => {
  const mock = createMock();
  const { main: world } = mock;
  let url = '';
  let stop: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    prepare();
    ({ url, stop } = await start(mock));
  }, 600_000);
  afterAll(() => stop?.());

  const page = async (path: string): Promise<string> => (await fetch(url + path)).text();

  test('lists posts, and shows each, its category, its tags, and the results of a search', async () => {
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

  test('responds with 404 for what does not exist', async () => {
    for (const path of ['/posts/nowhere', '/categories/nowhere', '/tags/nowhere']) {
      expect((await fetch(url + path)).status, path).toBe(404);
    }
  });

  test('delivers an ad and counts its click for the visitor through the route handler', async () => {
    const headers = { origin: `https://${world.blog.domains?.[0] ?? 'my.blog'}`, 'x-forwarded-for': '203.0.113.9' };
    const ad = await (await fetch(`${url}/api/ad?format=BANNER`, { headers })).json();
    expect(ad).toMatchObject({ filled: true, clickToken: expect.any(String) });
    const body = JSON.stringify({ token: ad.clickToken });
    const click = await fetch(`${url}/api/ad`, { method: 'POST', body, headers });
    expect(await click.json()).toEqual({ ok: true });
    expect(world.ad(ad.id)).toMatchObject({ impressions: 1, clicks: 1 });
    expect(await (await fetch(`${url}/api/ad?format=NONE`)).json()).toEqual({ filled: false });
  });

  test('shows a changed post once the webhook has reported it', async () => {
    const [post] = world.blog.posts ?? [];
    const path = `/posts/${post?.slug}`;
    world.put({ posts: [{ ...post, title: 'Changed since' } as NonNullable<typeof post>] });
    expect(await page(path)).not.toContain('Changed since');
    const send = async (secret?: string) => {
      const options = { id: post?.id ?? '', url: `${url}/api/revalidate`, ...(secret && { secret }) };
      return (await fetch(await world.webhook('post.updated', options))).status;
    };
    expect(await send(`whsec_${btoa('a secret that somebody guessed')}`)).toBe(500);
    expect(await page(path)).not.toContain('Changed since');
    expect(await send()).toBe(204);
    expect(await page(path)).toContain('<h1>Changed since</h1>');
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
    const elsewhere = await fetch(`${url}/posts/${other?.slug}`, { headers: { cookie } });
    expect(await elsewhere.text()).not.toContain('Soon to come');
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
