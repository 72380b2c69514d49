/** @jsxImportSource hono/jsx */

import { changeDomains, createKey, listKeys, revokeKeys, rotateKeys, type ServerStore } from '@broadsheet/management';
import type { Hono } from 'hono';
import { logChange, textOf } from '../door/change.ts';
import type { PanelEnv } from '../door/guard.tsx';
import { goTo, send } from '../door/send.ts';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { Confirm } from '../layout/confirm.tsx';
import { problemsOf, statusOf } from '../layout/form.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { EmbedPage, NO_KEY, readSlots } from './embed.tsx';
import { embedCode } from './embed-code.ts';
import { KeysPage } from './keys.tsx';

/** The tags for a page, with a key that was just created if there is one. */
export function embedRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  async function embed(visit: BlogVisit, query: URLSearchParams, newKey?: string): Promise<Response> {
    const slots = readSlots(query);
    const pinned = query.get('pin') !== 'no';
    const ads = await store.listAllAds(visit.blog.id);
    const code = await embedCode({ origin: visit.origin, apiKey: newKey ?? NO_KEY, slots, ads, pinned });
    return send(<EmbedPage visit={visit} code={code} slots={slots} pinned={pinned} newKey={newKey} />);
  }

  app.get('/panel/:blog/embed', (c) => embed(c.get('blogVisit'), c.get('blogVisit').url.searchParams));
  app.post('/panel/:blog/embed', async (c) => {
    const visit = c.get('blogVisit');
    const { id, apiKey } = await createKey(store, visit.blog.id, visit.now);
    await logChange(store, visit, `made the key ${id}`);
    const { slot, pin } = c.get('form');
    const query = new URLSearchParams({ pin: String(pin) });
    for (const format of [slot ?? []].flat()) query.append('slot', String(format));
    return embed(visit, query, apiKey);
  });
  app.post('/panel/:blog/keys/create', async (c) => {
    const visit = c.get('blogVisit');
    const { id, apiKey } = await createKey(store, visit.blog.id, visit.now);
    await logChange(store, visit, `made the key ${id}`);
    return embed(visit, new URLSearchParams(), apiKey);
  });
  app.post('/panel/:blog/keys/rotate', async (c) => {
    const visit = c.get('blogVisit');
    const { id, apiKey } = await rotateKeys(store, visit.blog.id, visit.now);
    await logChange(store, visit, `rotated the keys; the new one is ${id}`);
    return embed(visit, new URLSearchParams(), apiKey);
  });
}

/** The keys of a blog and the sites whose clicks count. */
export function keyRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/:blog/keys', async (c) => {
    const visit = c.get('blogVisit');
    const keys = await listKeys(store, visit.blog.id);
    return send(<KeysPage visit={visit} keys={keys} domains={visit.blog.domains.join('\n')} />);
  });

  app.get('/panel/:blog/keys/rotate', async (c) => {
    const visit = c.get('blogVisit');
    if (!mayManage(visit)) return c.notFound();
    const valid = (await listKeys(store, visit.blog.id)).filter(({ revokedAt }) => revokedAt === null);
    return send(
      <Confirm
        visit={visit}
        here="keys"
        title="Rotate the keys?"
        to={visit.url.pathname}
        action="Revoke them and make a new one"
        back={panelPath(visit.blog.id, 'keys')}
      >
        <p class="warn">
          {valid.length === 0
            ? 'There is no valid key. '
            : `The ${valid.length === 1 ? 'key' : `${valid.length} keys`} `}
          {valid.map(({ id }, index) => (
            <>
              {index > 0 && ', '}
              <code>{id}</code>
            </>
          ))}
          {valid.length > 0 &&
            ` of ${visit.blog.name} ${valid.length === 1 ? 'is' : 'are'} refused within a second: pages and programs that use ${valid.length === 1 ? 'it' : 'them'} show nothing until they have the new one. This cannot be undone.`}
        </p>
      </Confirm>,
    );
  });

  app.post('/panel/:blog/keys/domains', async (c) => {
    const visit = c.get('blogVisit');
    const typed = textOf(c.get('form'), 'domains');
    const replace = typed.split(/\s+/).filter((host) => host !== '');
    const seen = c.get('form')['before'];
    const before = typeof seen === 'string' ? { before: seen.split(' ').filter((host) => host !== '') } : {};
    try {
      const change = replace.length > 0 ? { replace, ...before } : ({ clear: true, ...before } as const);
      const { after } = await changeDomains(store, visit.blog.id, change);
      await logChange(store, visit, `set the domains to ${after.join(', ') || 'any'}`);
      return goTo(`${panelPath(visit.blog.id, 'keys')}?done=domains`);
    } catch (error) {
      const keys = await listKeys(store, visit.blog.id);
      const page = { visit, keys, domains: typed, problems: problemsOf(error) };
      return send(<KeysPage {...page} />, { status: statusOf(error) });
    }
  });
  revokeRoutes(app, store);
}

function revokeRoutes(app: Hono<PanelEnv>, store: ServerStore): void {
  app.get('/panel/:blog/keys/:key/revoke', async (c) => {
    const visit = c.get('blogVisit');
    const keys = await listKeys(store, visit.blog.id);
    const key = keys.find(({ id, revokedAt }) => id === c.req.param('key') && revokedAt === null);
    if (!key || !mayManage(visit)) return c.notFound();
    return send(
      <Confirm
        visit={visit}
        here="keys"
        title="Revoke this key?"
        to={visit.url.pathname}
        action={`Revoke ${key.id}`}
        back={panelPath(visit.blog.id, 'keys')}
      >
        <p class="warn">
          The key <code>{key.id}</code> of {visit.blog.name} is refused within a second: pages that use it show nothing.
          This cannot be undone.
        </p>
      </Confirm>,
    );
  });
  app.post('/panel/:blog/keys/:key/revoke', async (c) => {
    const visit = c.get('blogVisit');
    const key = c.req.param('key');
    await revokeKeys(store, visit.blog.id, key, visit.now);
    await logChange(store, visit, `revoked the key ${key}`);
    return goTo(`${panelPath(visit.blog.id, 'keys')}?done=revoked`);
  });
}
