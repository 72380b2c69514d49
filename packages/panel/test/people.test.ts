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

  it('gives a known person a new link, which changes nothing until it is used', async () => {
    const people = () => panel.store.listPeople(Date.now());
    const invite = (form: Record<string, string>) => panel.ask(session, '/panel/people/panel.invite', { form });
    const response = await invite({ name: 'Ada', role: 'manage', blog: '' });
    expect(await response.text()).toContain('Send this sign-in link to');
    expect(await page()).toMatch(/name="name" value="Ben"\/><input type="hidden" name="role" value="manage"\/>/);
    await invite({ name: 'Eve', role: 'view', blog: 'news' });
    expect((await people()).find(({ name }) => name === 'Eve')).toMatchObject({ role: 'manage', blogId: null });
    await panel.store.revokePerson('Eve', Date.now());
  });

  it('cannot demote the last one, and revokes it only with the warning', async () => {
    const form = { name: 'Ada', role: 'view', blog: 'news' };
    const refused = await panel.ask(session, '/panel/people/panel.invite', { form });
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('nobody else manages all')]);
    const revoke = (fields: object) =>
      panel.ask(session, '/panel/people/panel.revoke', { form: { name: 'Ada', ...fields } });
    expect((await revoke({})).status).toBe(409);
    expect(await page()).toMatch(/name="yes" value="yes"/);
    expect((await panel.ask(session, '/panel/news')).status).toBe(200);
  });

  it('sees the key of a new blog once', async () => {
    const created = await panel.ask(session, '/panel/blogs/blogs.create', { form: { id: 'fresh', name: 'Fresh' } });
    const key = /bs_[\w-]+/.exec(await created.text())?.[0] ?? '';
    expect((await panel.store.findBlog(key))?.id).toBe('fresh');
    expect(await panel.store.listKeys('fresh')).toHaveLength(1);
    expect(await (await panel.ask(session, '/panel/fresh/keys')).text()).not.toContain(key);
  });
});
