import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { MANAGER, NEWS, type PanelServer, startPanel, VIEWER } from './panel-server.ts';

const HOOKS = '/panel/news/hooks';
const ROOM = { hasRoom: () => true, isSending: () => false };
const URL_WITH_SECRET = 'https://host.example/build_hooks/5f0c';

describe('the webhooks of a blog in the panel', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  let session = '';
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`, Date);
    await panel.store.importBlogs([NEWS], Date.now());
    session = await panel.session(MANAGER);
  });
  afterAll(() => panel?.close());

  const page = async (as = session) => (await panel.ask(as, HOOKS)).text();
  const send = (action: string, form: Record<string, string>, as = session) =>
    panel.ask(as, `/panel/news/hooks.${action}`, { form });
  const secretIn = (html: string) => /whsec_[\w+/=]+/.exec(html)?.[0];

  it('a webhook is added, and its secret is shown once', async () => {
    const wrong = await send('add', { url: 'ftp://host.example/', events: 'post.removed' });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('expected an http(s) URL')]);
    const named = await send('add', { url: 'https://ada:pass@host.example/', events: 'post.removed' });
    expect([named.status, await named.text()]).toEqual([400, expect.stringContaining('must not contain a user name')]);
    const none = await send('add', { url: URL_WITH_SECRET });
    expect([none.status, await none.text()]).toEqual([
      400,
      expect.stringMatching(/<a href="#events">Events<\/a>: select at least one event.*<fieldset id="events"/s),
    ]);
    expect(await panel.store.listHooks('news')).toEqual([]);
    const added = await send('add', { url: URL_WITH_SECRET, events: 'post.removed' });
    expect(secretIn(await added.text())).toBeDefined();
    expect(await page()).toContain(URL_WITH_SECRET);
    expect(secretIn(await page())).toBeUndefined();
    expect(await panel.store.listHooks('news')).toMatchObject([{ url: URL_WITH_SECRET, types: ['post.removed'] }]);
  });

  it('messages are listed with their attempts and responses, and can be sent again', async () => {
    const { outbox } = panel.store;
    await panel.store.deletePost('news', 'p1', Date.now());
    const [message] = await outbox.due(Date.now(), ROOM);
    if (!message) throw new Error('nothing is due');
    expect(await page()).toContain('post.removed out');
    const attempt = { at: new Date().toISOString(), duration: 1234, status: 500, text: '<b>Sorry</b>' };
    await outbox.record(message, attempt, Date.now() + 60_000);
    expect(await page()).toMatch(/retrying[\s\S]*500, 1,234 ms[\s\S]*&lt;b&gt;Sorry[\s\S]*Next attempt:/);
    expect(await outbox.due(Date.now(), ROOM)).toEqual([]);
    expect((await send('resend', { message: message.id })).status).toBe(303);
    expect(await outbox.due(Date.now(), ROOM)).toMatchObject([{ id: message.id }]);
    expect(await page()).toContain('Next attempt: now');
    expect((await send('resend', { message: 'msg_none' })).status).toBe(404);
  });

  it('a webhook is tested, rotated and deleted, and each step is in the log', async () => {
    const [hook] = await panel.store.listHooks('news');
    const form = { hook: hook?.id ?? '' };
    const tested = await send('test', form);
    expect(tested.status).toBe(303);
    // Once, so that the response appears without a script.
    const sending = await panel.ask(session, tested.headers.get('location') ?? '');
    expect(await sending.text()).toContain('<meta http-equiv="refresh" content="3; url=/panel/news/hooks"');
    expect(await page()).not.toContain('http-equiv="refresh"');
    expect(await page()).toMatch(/ping[\s\S]*It is sent next, and the receiver has 15 seconds/);
    expect(secretIn(await (await send('rotate', form)).text())).toBeDefined();
    expect((await send('delete', form)).status).toBe(303);
    expect(await page()).toContain('No webhooks yet.');
    for (const action of ['test', 'rotate', 'delete']) expect((await send(action, form)).status).toBe(404);
    const log = await (await panel.ask(session, '/panel/log')).text();
    for (const what of ['added the webhook', 'tested', 'rotated the secret', 'deleted the webhook', 'again']) {
      expect(log).toContain(what);
    }
    expect(log).not.toContain('build_hooks');
  });

  it('a blog has at most ten webhooks, and nothing is sent again to a receiver that is gone', async () => {
    const { store } = panel;
    const form = { url: URL_WITH_SECRET, events: 'post.removed' };
    for (let count = 0; count < 10; count += 1) expect((await send('add', form)).status).toBe(200);
    const refused = await send('add', form);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('at most 10 webhooks')]);
    const hooks = await store.listHooks('news');
    await store.testHook('news', hooks[0]?.id ?? '');
    const [message] = await store.outbox.due(Date.now(), ROOM);
    if (!message) throw new Error('nothing is due');
    await store.outbox.record(message, { at: new Date().toISOString(), duration: 1, status: 410, text: '' }, null);
    const again = await send('resend', { message: message.id });
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('send a test first')]);
    for (const { id } of hooks) await store.deleteHook('news', id);
  });

  it('a viewer sees neither secrets nor the path of a URL, and changes nothing', async () => {
    const form = { url: URL_WITH_SECRET, events: 'post.removed' };
    const none = await send('add', { url: URL_WITH_SECRET });
    expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('select at least one event')]);
    const added = await send('add', form);
    const secret = secretIn(await added.text()) ?? '';
    const viewer = await panel.session(VIEWER);
    const html = await page(viewer);
    expect(html).toContain('https://host.example');
    for (const hidden of ['build_hooks', secret]) expect(html).not.toContain(hidden);
    expect((await send('add', form, viewer)).status).toBe(403);
  });
});
