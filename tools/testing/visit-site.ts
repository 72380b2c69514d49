import { expect } from 'vitest';
import type { World } from '../../packages/mock-server/src/index.ts';
import { difficultPostsOf, unescapeHtml } from './difficult-posts.ts';

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/**
 * Checks that the links of a list lead to each difficult post, whatever characters its slug has, and that a slug is not
 * decoded twice.
 */
export async function visitDifficult(ask: Ask, world: World): Promise<void> {
  const list = await (await ask('/')).text();
  const links = new Map(
    [...list.matchAll(/<a [^>]*href="(\/posts\/[^"]+)"[^>]*>(.*?)<\/a>/g)].map(([, href = '', title = '']) => [
      unescapeHtml(title),
      unescapeHtml(href),
    ]),
  );
  for (const { slug, title } of difficultPostsOf(world)) {
    const href = links.get(title) ?? `no link to ${title}`;
    const response = await ask(href);
    expect([slug, href, response.status]).toEqual([slug, href, 200]);
    expect(unescapeHtml(await response.text())).toContain(`<h1>${title}</h1>`);
  }
  for (const path of ['/posts/100%252525', '/posts/a%20b', '/posts/%25', '/posts/a%252Fb'])
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
}

/** Checks that a path that cannot be decoded does not break a site: it is refused, or taken literally. */
export async function visitMalformed(ask: Ask): Promise<void> {
  for (const path of ['/posts/100%', '/posts/%zz', '/posts/%E0%A4%A'])
    expect([path, (await ask(path)).status]).toEqual([path, expect.toBeOneOf([200, 400, 404])]);
}

/**
 * Checks what every example site shows a reader: a list, a post, a 404 for an unknown post, and an ad at `ad` whose
 * click is counted.
 */
export async function visitSite(ask: Ask, world: World, ad = '/ad'): Promise<void> {
  const list = await (await ask('/')).text();
  const [, path = '', title = ''] = /<a [^>]*href="(\/posts\/[^"]+)"[^>]*>([^<]+)</.exec(list) ?? [];
  expect(list).toContain('<h1>Posts</h1>');
  expect(await (await ask(path)).text()).toContain(`<h1>${title}</h1>`);
  expect((await ask('/posts/nowhere')).status).toBe(404);
  const headers = { origin: 'https://my.blog', 'content-type': 'application/json' };
  const delivered = (await (await ask(ad, { headers })).json()) as { id: string; clickToken: string };
  const body = JSON.stringify({ token: delivered.clickToken });
  expect(await (await ask(ad, { method: 'POST', headers, body })).json()).toEqual({ ok: true });
  expect(world.ad(delivered.id)).toMatchObject({ impressions: 1, clicks: 1 });
}
