import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';

const LAST = 'Nobody else manages all blogs';

describeDatabases('a manager of all blogs', (database) => {
  let panel: PanelServer;
  let session = '';
  beforeAll(async () => {
    panel = await startPanel(database.url);
    await panel.store.importBlogs([NEWS], Date.now());
    session = await panel.session(MANAGER);
  });
  afterAll(() => panel?.close());

  const page = async () => (await panel.ask(session, '/panel/people')).text();

  it('is warned before the last one is revoked', async () => {
    expect(await page()).toContain(LAST);
    await panel.session({ name: 'Zoe', role: 'view', blogId: null });
    await panel.session({ name: 'Ben', role: 'manage', blogId: 'news' });
    expect(await page()).toContain(LAST);
    await panel.session({ name: 'Eve', role: 'manage', blogId: null });
    expect(await page()).not.toContain(LAST);
  });

  it('sees the key of a new blog once', async () => {
    const created = await panel.ask(session, '/panel/blogs/blogs.create', { form: { id: 'fresh', name: 'Fresh' } });
    const key = /bs_[\w-]+/.exec(await created.text())?.[0] ?? '';
    expect((await panel.store.findBlog(key))?.id).toBe('fresh');
    expect(await panel.store.listKeys('fresh')).toHaveLength(1);
    expect(await (await panel.ask(session, '/panel/fresh/keys')).text()).not.toContain(key);
  });
});
