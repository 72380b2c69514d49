import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';

const AD = NEWS.ads[0]?.id ?? '';

describeDatabases('what is typed into the panel', (database) => {
  let panel: PanelServer;
  let session = '';
  beforeAll(async () => {
    panel = await startPanel(database.url);
    await panel.store.importBlogs([NEWS], Date.now());
    session = await panel.session(MANAGER);
  });
  afterAll(() => panel?.close());

  it('a URL with a NUL character is 404', async () => {
    for (const path of ['/panel/a%00b', '/panel/news/ads/%00', '/panel/news/posts/%00', '/panel/news/posts?q=%00']) {
      expect((await panel.ask(session, path)).status, path).toBe(404);
    }
  });

  it.each([
    ['/panel/news/ads.add', { format: 'BANNER', title: 'a\0b' }],
    ['/panel/news/ads.add', { format: 'BANNER', title: 'a', content: '\0', linkText: '\0' }],
    ['/panel/news/ads.edit', { ad: AD, format: 'BANNER', title: '\0' }],
    ['/panel/news/posts.publish', { post: 'p3', at: '\0' }],
    ['/panel/news/blogs.domains', { domains: 'a\0.example' }],
    ['/panel/news/blogs.rename', { name: 'a\0' }],
    ['/panel/people/panel.invite', { name: 'a\0', role: 'view', blog: '' }],
    ['/panel/blogs/blogs.create', { id: 'a\0', name: 'A' }],
    ['/panel/blogs/blogs.create', { id: 'fresh', name: 'A\0' }],
  ])('a NUL character in a field is refused: %s %j', async (path, form) => {
    const response = await panel.ask(session, path, { form });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('NUL')]);
  });

  it('a notice is shown only for known outcomes', async () => {
    const notices = async (done: string) => {
      const html = await (await panel.ask(session, `/panel/news/posts?done=${done}`)).text();
      return html.match(/<p class="notice"[^>]*>[^<]*/g);
    };
    expect(await notices('saved')).toHaveLength(1);
    for (const done of ['constructor', 'toString', 'unknown']) expect(await notices(done), done).toBeNull();
  });

  it('a search that finds nothing says so', async () => {
    for (const [path, message] of [
      ['/panel/blogs', 'No matching blogs. <a href="/panel/blogs">Show all blogs</a>'],
      ['/panel/people', 'No matching people. <a href="/panel/people">Show all people</a>'],
    ] as const) {
      const html = await (await panel.ask(session, `${path}?q=nothing+like+it`)).text();
      expect(html).toContain(message);
      expect(html).not.toContain('<table');
      expect(await (await panel.ask(session, path)).text()).not.toContain('No matching');
    }
  });

  it('a time with a time zone schedules the post for that time', async () => {
    const form = { at: '2099-01-01T10:00+02:00' };
    const response = await panel.ask(session, '/panel/news/posts.publish', { form: { post: 'p3', ...form } });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/panel/news/posts/p3?done=scheduled']);
    expect(await panel.store.getAnyPost('news', 'p3')).toMatchObject({ scheduledAt: '2099-01-01T08:00:00.000Z' });
  });

  it('the page of a post creates a preview link, which the log does not contain', async () => {
    const path = '/panel/news/posts.preview';
    const page = await (
      await panel.ask(session, path, { form: { post: 'p3', url: 'https://site.example/preview' } })
    ).text();
    const [link, token = ''] = /https:\/\/site\.example\/preview\?token=([\w.-]+)/.exec(page) ?? [];
    expect([link && page.split(link).length, token.split('.')]).toEqual([
      3,
      [expect.any(String), expect.any(String), expect.any(String)],
    ]);
    const log = await (await panel.ask(session, '/panel/log')).text();
    expect(log).toContain('created a preview link');
    expect(log).not.toContain(token);
    const wrong = await panel.ask(session, path, { form: { post: 'p3', url: 'http://site.example' } });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('expected a page of your site')]);
  });

  it('the URL of a sign-in link is never sent as Referer', async () => {
    await panel.store.invitePerson({ ...MANAGER, name: 'Referred' }, 'referred', Date.now());
    const page = await panel.ask(undefined, '/panel/sign-in?token=referred');
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'strict-origin']);
  });
});
