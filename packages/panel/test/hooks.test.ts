import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { MANAGER, NEWS, type PanelServer, startPanel, VIEWER } from './panel-server.ts';

const HOOKS = '/panel/news/hooks';
const URL_WITH_SECRET = 'https://host.example/build_hooks/5f0c';

describeDatabases('the webhooks of a blog in the panel', (database) => {
  let panel: PanelServer;
  let session = '';
  beforeAll(async () => {
    panel = await startPanel(database.url);
    await panel.store.importBlogs([NEWS], Date.now());
    session = await panel.session(MANAGER);
  });
  afterAll(() => panel?.close());

  const page = async (as = session) => (await panel.ask(as, HOOKS)).text();
  const send = (path: string, form: Record<string, string> = {}, as = session) =>
    panel.ask(as, `${HOOKS}${path}`, { form });
  const secretIn = (html: string) => /whsec_[\w+/=]+/.exec(html)?.[0];

  it('a webhook is added, and its secret is shown once', async () => {
    const wrong = await send('', { url: 'ftp://host.example/' });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('expected an http(s) URL')]);
    const named = await send('', { url: 'https://ada:pass@host.example/' });
    expect([named.status, await named.text()]).toEqual([400, expect.stringContaining('must not contain a user name')]);
    const added = await send('', { url: URL_WITH_SECRET, events: 'post.removed' });
    expect(secretIn(await added.text())).toBeDefined();
    expect(await page()).toContain(URL_WITH_SECRET);
    expect(secretIn(await page())).toBeUndefined();
    expect(await panel.store.listHooks('news')).toMatchObject([{ url: URL_WITH_SECRET, types: ['post.removed'] }]);
  });

  it('messages are listed with their attempts and responses, and can be sent again', async () => {
    const { outbox } = panel.store;
    await panel.store.deletePost('news', 'p1', Date.now());
    const [message] = await outbox.due(Date.now(), [], 10);
    if (!message) throw new Error('nothing is due');
    expect(await page()).toContain('post.removed out');
    const attempt = { at: new Date().toISOString(), duration: 1234, status: 500, text: '<b>Sorry</b>' };
    await outbox.record(message, attempt, Date.now() + 60_000);
    expect(await page()).toMatch(/retrying[\s\S]*500, 1,234 ms[\s\S]*&lt;b&gt;Sorry[\s\S]*Next attempt:/);
    expect(await outbox.due(Date.now(), [], 10)).toEqual([]);
    expect((await send(`/messages/${message.id}`)).status).toBe(303);
    expect(await outbox.due(Date.now(), [], 10)).toMatchObject([{ id: message.id }]);
    expect((await send('/messages/msg_none')).status).toBe(404);
  });

  it('a webhook is tested, rotated and deleted, and each step is in the log', async () => {
    const [hook] = await panel.store.listHooks('news');
    expect((await send(`/${hook?.id}/test`)).status).toBe(303);
    expect(await page()).toContain('post.removed test');
    expect(secretIn(await (await send(`/${hook?.id}/rotate`)).text())).toBeDefined();
    expect((await send(`/${hook?.id}/delete`)).status).toBe(303);
    expect(await page()).toContain('No webhooks yet.');
    for (const action of ['test', 'rotate', 'delete']) expect((await send(`/${hook?.id}/${action}`)).status).toBe(404);
    const log = await (await panel.ask(session, '/panel/log')).text();
    for (const what of ['added the webhook', 'tested', 'rotated the secret', 'deleted the webhook', 'again']) {
      expect(log).toContain(what);
    }
    expect(log).not.toContain('build_hooks');
  });

  it('a viewer sees neither secrets nor the path of a URL, and changes nothing', async () => {
    const added = await send('', { url: URL_WITH_SECRET });
    const secret = secretIn(await added.text()) ?? '';
    const viewer = await panel.session(VIEWER);
    const html = await page(viewer);
    expect(html).toContain('https://host.example');
    for (const hidden of ['build_hooks', secret]) expect(html).not.toContain(hidden);
    expect((await send('', { url: URL_WITH_SECRET }, viewer)).status).toBe(403);
  });
});
