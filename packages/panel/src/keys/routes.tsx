import { changeDomains, createKey, listKeys, revokeKeys, rotateKeys } from '@broadsheet/management';
import type { Hono } from 'hono';
import { type PanelEnv, textOf } from '../access/guard.tsx';
import { goTo, send } from '../access/send.ts';
import { type BlogVisit, logChange, panelPath } from '../access/visit.ts';
import type { PanelOptions } from '../panel-options.ts';
import { EmbedPage, NO_KEY, readFormats } from './embed.tsx';
import { embedCode } from './embed-code.ts';
import { KeysPage } from './keys.tsx';

/** The tags for a page, with the new key if one was just created. */
export function embedRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  async function embed(visit: BlogVisit, query: URLSearchParams, newKey?: string): Promise<Response> {
    const formats = readFormats(query);
    const pinned = query.get('pin') !== 'no';
    const ads = await store.listAllAds(visit.blog.id);
    const code = await embedCode({ origin: visit.origin, apiKey: newKey ?? NO_KEY, formats, ads, pinned });
    return send(<EmbedPage visit={visit} code={code} formats={formats} pinned={pinned} newKey={newKey} />);
  }

  app.get('/panel/:blog/embed', (c) => embed(c.get('blogVisit'), c.get('blogVisit').url.searchParams));
  for (const path of ['/panel/:blog/embed', '/panel/:blog/keys/create']) {
    app.post(path, async (c) => {
      const visit = c.get('blogVisit');
      const { id, apiKey } = await createKey(store, visit.blog.id, visit.now);
      await logChange(store, visit, `created the key ${id}`);
      const { slot, pin } = c.get('form');
      const query = new URLSearchParams({ pin: String(pin) });
      for (const format of [slot ?? []].flat()) query.append('slot', String(format));
      return embed(visit, query, apiKey);
    });
  }
  app.post('/panel/:blog/keys/rotate', async (c) => {
    const visit = c.get('blogVisit');
    const { id, apiKey } = await rotateKeys(store, visit.blog.id, visit.now);
    await logChange(store, visit, `rotated the keys; the new one is ${id}`);
    return embed(visit, new URLSearchParams(), apiKey);
  });
}

export function keyRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/:blog/keys', async (c) => {
    const visit = c.get('blogVisit');
    const keys = await listKeys(store, visit.blog.id);
    return send(<KeysPage visit={visit} keys={keys} domains={visit.blog.domains.join('\n')} />);
  });

  app.post('/panel/:blog/keys/domains', async (c) => {
    const visit = c.get('blogVisit');
    const typed = textOf(c.get('form'), 'domains');
    const replace = hostsIn(typed);
    const seen = c.get('form')['before'];
    const before = typeof seen === 'string' ? { before: hostsIn(seen) } : {};
    c.set('again', async (problems) => (
      <KeysPage visit={visit} keys={await listKeys(store, visit.blog.id)} domains={typed} problems={problems} />
    ));
    const change = replace.length > 0 ? { replace, ...before } : ({ clear: true, ...before } as const);
    const { after } = await changeDomains(store, visit.blog.id, change);
    await logChange(store, visit, `set the domains to ${after.join(', ') || 'any'}`);
    return goTo(`${panelPath(visit.blog.id, 'keys')}?done=domains`);
  });

  app.post('/panel/:blog/keys/:key/revoke', async (c) => {
    const visit = c.get('blogVisit');
    const key = c.req.param('key');
    await revokeKeys(store, visit.blog.id, key, visit.now);
    await logChange(store, visit, `revoked the key ${key}`);
    return goTo(`${panelPath(visit.blog.id, 'keys')}?done=revoked`);
  });
}

const hostsIn = (typed: string): string[] => typed.split(/\s+/).filter((host) => host !== '');
