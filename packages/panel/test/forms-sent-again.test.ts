import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { createImportQueue } from '../../server/src/operators/import-queue.ts';
import { createApp } from '../src/app.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';

const [TEA = '', COFFEE = ''] = NEWS.ads.map(({ id }) => id);

/** Pages with forms, and the values that a person enters into the forms there. */
const FORMS: readonly (readonly [page: string, command: string, typed?: Readonly<Record<string, string>>])[] = [
  ['/panel/blogs', 'blogs.create', { id: 'fresh', name: 'Fresh' }],
  ['/panel/people', 'panel.invite', { name: 'Eve', role: 'view', blog: 'news' }],
  ['/panel/people', 'panel.revoke'],
  ['/panel/news/embed?slot=BANNER', 'keys.create'],
  ['/panel/news/keys', 'keys.create'],
  ['/panel/news/keys', 'keys.rotate'],
  ['/panel/news/keys', 'keys.revoke'],
  ['/panel/news/keys', 'blogs.domains', { domains: 'news.example' }],
  ['/panel/news/ads.add', 'ads.add', { format: 'BANNER', title: 'New', priority: '0' }],
  [`/panel/news/ads/${TEA}`, 'ads.edit', { format: 'BANNER', title: 'Green tea', priority: '0' }],
  ['/panel/news/ads', 'ads.pause', { ad: TEA }],
  ['/panel/news/ads', 'ads.resume', { ad: COFFEE }],
  [`/panel/news/ads/${COFFEE}`, 'ads.delete'],
  ['/panel/news/bin', 'ads.restore'],
  ['/panel/news/campaigns.add', 'campaigns.add', { sponsor: 'Leaves & Co', name: 'New', kind: 'paid', pace: 'even' }],
  ['/panel/news/campaigns/spring', 'campaigns.edit', { sponsor: 'Leaves', name: 'Spring', kind: 'paid', pace: 'even' }],
  ['/panel/news/campaigns/spring', 'campaigns.pause'],
  ['/panel/news/campaigns/spring', 'campaigns.resume'],
  ['/panel/news/campaigns/spring', 'campaigns.report'],
  ['/panel/news/campaigns/spring', 'campaigns.delete'],
  ['/panel/news/bin', 'campaigns.restore'],
  ['/panel/news/posts/p3', 'posts.publish'],
  ['/panel/news/posts/p3', 'posts.unpublish'],
  ['/panel/news/posts/p3', 'posts.preview', { url: 'https://news.example/preview' }],
  ['/panel/news/posts/p3', 'posts.delete'],
  ['/panel/news/bin', 'posts.restore'],
  ['/panel/news/hooks', 'hooks.add', { url: 'https://a.example/', events: 'post.removed' }],
  ['/panel/news/hooks', 'hooks.rotate'],
  ['/panel/news/hooks', 'hooks.test'],
  ['/panel/news/hooks', 'hooks.resend'],
  ['/panel/news/hooks', 'hooks.delete'],
  ['/panel/news/settings', 'blogs.rename', { name: 'Renamed' }],
  ['/panel/news/settings', 'blogs.time-zone', { timeZone: 'Asia/Tokyo' }],
  ['/panel/news/settings', 'blogs.publisher', { contact: 'ads@news.example' }],
];

/** What a person sees after a form: where they are, and a key or a link that is shown once. */
async function shownBy(response: Response) {
  const [, secret] = /<code class="secret"[^>]*>(.*?)<\/code>/s.exec(await response.text()) ?? [];
  return { status: response.status, location: response.headers.get('location'), secret };
}

describeDatabases('a form that is sent again', (database) => {
  let panel: PanelServer;
  let session = '';
  beforeAll(async () => {
    panel = await startPanel(database.url);
    await panel.store.importBlogs([NEWS], Date.now());
    session = await panel.session(MANAGER);
    await panel.session({ name: 'Zoe', role: 'view', blogId: 'news' });
  });
  afterAll(() => panel?.close());

  it('runs its command once, and has the same response', async () => {
    const changes = async () => (await panel.store.readLog({ offset: 0, limit: 1 })).total;
    for (const [page, command, typed] of FORMS) {
      const html = await (await panel.ask(session, page)).text();
      // The last one, because the first person in the list is the one who is signed in.
      const [, path = '', inner = ''] =
        [...html.matchAll(/<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/gs)].findLast(([, action]) =>
          action?.endsWith(`/${command}`),
        ) ?? [];
      const hidden = inner.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
      const form = {
        ...Object.fromEntries([...hidden].map(([, name, value]) => [name, value?.replaceAll('&amp;', '&')])),
        ...typed,
      };
      const before = await changes();
      const send = () => panel.ask(session, path, { form, token: form.token ?? '' });
      // A double click, and a reload of the page that was the response.
      const responses = [...(await Promise.all([send(), send()])), await send()];
      const shown = await Promise.all(responses.map(shownBy));
      expect(shown, `${page}: ${command}`).toEqual([shown[0], shown[0], shown[0]]);
      expect([200, 303], command).toContain(shown[0]?.status);
      expect([command, (await changes()) - before]).toEqual([command, 1]);
      // A form with other values counts as another form, because a page may be shown again as it was before its form
      // was sent.
      if (command !== 'blogs.rename') continue;
      const corrected = { ...form, name: 'Corrected' };
      const other = await panel.ask(session, path, { form: corrected, token: form.token ?? '' });
      expect([other.status, await other.text()]).toEqual([409, expect.stringContaining('to “Renamed”. You entered')]);
    }
    const routes = createApp({ store: panel.store, runAlone: createImportQueue() }).routes.filter(
      ({ method }) => method === 'POST',
    );
    const commands = routes.map(({ path }) => path.split('/').at(-1) ?? '').filter((name) => name.includes('.'));
    // A blog is deleted with its log, and cannot be deleted again.
    expect(new Set([...FORMS.map(([, command]) => command), 'blogs.delete'])).toEqual(new Set(commands));
  });
});
