import type { World } from '../../src/worlds/world.ts';

/** Short functions for the requests that tests send to a world. */
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
    /** The sum of the impressions of all ads. */
    impressions: () => (world.blog.ads ?? []).reduce((sum, { id }) => sum + world.ad(id).impressions, 0),
  };
}
