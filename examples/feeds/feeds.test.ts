import { readFile } from 'node:fs/promises';
import { createMock } from '@broadsheet/mock-server';
import { createClient } from '@broadsheet/sdk';
import { expect, test } from 'vitest';
import { toFeed, toSitemap } from './feeds.ts';

const site = { title: 'Ink & <Lead>', url: 'https://blog.example/posts' };
const TITLE = 'A "title" & <b>more</b>\u0000\u000b😀';

async function posts() {
  const mock = createMock();
  const world = mock.world();
  world.put({
    posts: [{ id: 'p', slug: 'é&b', title: TITLE, status: 'PUBLISHED', publishedAt: '2026-01-31T09:00:00.000Z' }],
  });
  return createClient({ ...world.connection, fetch: mock.fetch }).posts;
}

/** Matches what is not allowed in XML: control characters, and an ampersand that does not start an entity. */
const UNFIT = /(?![\t\n\r])\p{Cc}|&(?!(?:amp|lt|gt|quot);)/u;

test('a feed has the newest posts, and is well-formed with any title', async () => {
  const all = await posts();
  const feed = await toFeed(await all.list().take(5), site);
  expect(feed.match(/<item>/g)).toHaveLength(5);
  expect(feed).toContain('<title>Ink &amp; &lt;Lead&gt;</title>');
  const whole = await toFeed(all.list(), site);
  expect(whole).toContain('<title>A &quot;title&quot; &amp; &lt;b&gt;more&lt;/b&gt;😀</title>');
  expect(whole).toContain('<link>https://blog.example/posts/%C3%A9%26b</link>');
  expect(whole).toContain('<pubDate>Sat, 31 Jan 2026 09:00:00 GMT</pubDate>');
  expect(whole).not.toMatch(UNFIT);
});

test('a sitemap has every post', async () => {
  const all = await posts();
  const sitemap = await toSitemap(all.list(), site);
  expect(sitemap.match(/<url>/g)).toHaveLength((await all.list().collect()).length);
  expect(sitemap).not.toMatch(UNFIT);
});

test('the guide shows this code', async () => {
  const [guide, code] = await Promise.all(
    ['../../docs/guides/feeds.md', './feeds.ts'].map((path) => readFile(new URL(path, import.meta.url), 'utf8')),
  );
  expect(guide).toContain(code);
});
