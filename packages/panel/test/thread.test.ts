import type { ServerStore } from '@broadsheet/management';
import { openStore } from '@broadsheet/management/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { createPanel, type Panel } from '../src/index.ts';
import { MANAGER, NEWS } from './panel-server.ts';

describeDatabases('the thread of the panel', (database) => {
  let store: ServerStore;
  let panel: Panel;
  let cookie = '';
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie, origin: 'http://panel.test', host: 'panel.test' };
    const answer = await panel(new Request(`http://panel.test${path}`, { headers, ...init }));
    if (!answer) throw new Error(`The panel passed ${path} on.`);
    return answer;
  };
  beforeAll(async () => {
    store = await openStore(database.url);
    await store.importBlogs([NEWS], Date.now());
    await store.invitePerson(MANAGER, 'link', Date.now());
    // All that it may ask of the store of this thread.
    const { databaseUrl, hasPeople } = store;
    panel = createPanel({ store: { databaseUrl, hasPeople } as ServerStore });
  });
  afterAll(async () => {
    await panel?.close();
    await store?.close();
  });

  it('answers by a store of its own: that of the API is asked for nothing but people', async () => {
    const signedIn = await ask('/panel/sign-in', { method: 'POST', body: new URLSearchParams({ invitation: 'link' }) });
    expect(signedIn.status).toBe(303);
    cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await ask('/panel/news/posts');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('Out already');
    expect((await ask('/panel/news/nothing')).status).toBe(404);
    expect((await ask('/panel/assets/panel.css', { method: 'HEAD' })).body).toBeNull();
  });

  it('hands over a snapshot as it is taken, which is the blog', async () => {
    const answer = await ask('/panel/news/snapshot.json');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="news.json"');
    expect(await answer.json()).toEqual({ blogs: [await store.exportBlog('news')] });
  });

  it('sees at once what another store wrote', async () => {
    await store.renameBlog('news', 'Renamed');
    expect(await (await ask('/panel/news/settings')).text()).toContain('Renamed');
    await store.revokePerson(MANAGER.name);
    await store.invitePerson({ ...MANAGER, name: 'Somebody else' }, 'other', Date.now());
    expect((await ask('/panel/news/settings')).status).toBe(401);
  });

  it('is started again when it has ended', async () => {
    await panel.close();
    expect((await ask('/panel/sign-in?token=other')).status).toBe(200);
  });
});
