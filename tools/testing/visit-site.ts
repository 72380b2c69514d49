import { expect } from 'vitest';
import type { World } from '../../packages/mock-server/src/index.ts';

/**
 * Checks what every example site shows a reader: a list, a post, a 404 for an unknown post, and an ad at `ad` whose
 * click is counted.
 */
export async function visitSite(
  ask: (path: string, init?: RequestInit) => Promise<Response>,
  world: World,
  ad = '/ad',
): Promise<void> {
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
