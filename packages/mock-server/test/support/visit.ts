import type { World } from '../../src/worlds/world.ts';

/** What a test sends to a world, in one word each. */
export function visit(world: World) {
  const send = (path: string, init: RequestInit = {}) =>
    world.fetch(`${world.connection.baseUrl}${path}`, {
      ...init,
      headers: { 'X-API-Key': world.apiKey, ...init.headers },
    });
  const post = (path: string, body: unknown) =>
    send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
  return {
    send,
    post,
    deliver: async (format = 'POPUP') =>
      (await (await send(`/public/ads/formats/${format}`)).json()) as { id: string; clickToken: string },
    click: async (clickToken: string) => (await post('/public/ads/tracking/click', { clickToken })).status,
    /** Impressions of all ads together. */
    impressions: () => (world.blog.ads ?? []).reduce((sum, { id }) => sum + world.ad(id).impressions, 0),
  };
}
