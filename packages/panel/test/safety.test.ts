import { INVITATION_LIFE, type Person, SESSION_LIFE } from '@broadsheet/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { createImportQueue } from '../../server/src/operators/import-queue.ts';
import { MANAGER, NEWS, ONE_BLOG, OTHER, type PanelServer, startPanel, VIEWER } from './panel-server.ts';

const AD = NEWS.ads[0]?.id ?? '';
const DELETED_AT = '2026-11-22T10:00:00.000Z';
/** Every path that changes something, with a valid form. */
const CHANGES: readonly (readonly [path: string, form: Record<string, string>])[] = [
  ['/panel/news/ads.add', { format: 'BANNER', title: 'New' }],
  ['/panel/news/ads.edit', { ad: AD, format: 'BANNER', title: 'Changed' }],
  ['/panel/news/hooks.add', { url: 'https://eve.example/', events: 'post.removed' }],
  ['/panel/news/campaigns.add', { sponsor: 'Eve', name: 'New' }],
  ['/panel/news/campaigns.edit', { campaign: 'spring', sponsor: 'Eve', name: 'Changed' }],
  ['/panel/news/campaigns.pause', { campaign: 'spring' }],
  ['/panel/news/campaigns.resume', { campaign: 'spring' }],
  ['/panel/news/campaigns.delete', { campaign: 'spring' }],
  ['/panel/news/campaigns.restore', { campaign: 'spring', deletedAt: DELETED_AT }],
  ['/panel/news/campaigns.report', { campaign: 'spring' }],
  ['/panel/news/campaigns.report', { campaign: 'spring', revoke: '000000000000' }],
  ['/panel/news/ads.pause', { ad: AD }],
  ['/panel/news/ads.resume', { ad: AD }],
  ['/panel/news/ads.delete', { ad: AD }],
  ['/panel/news/ads.restore', { ad: AD, deletedAt: DELETED_AT }],
  ['/panel/news/posts.publish', { post: 'p3' }],
  ['/panel/news/posts.publish', { post: 'p3', at: '2099-01-01T00:00' }],
  ['/panel/news/posts.unpublish', { post: 'p1' }],
  ['/panel/news/posts.preview', { post: 'p1', url: 'https://site.example/preview' }],
  ['/panel/news/posts.delete', { post: 'p1' }],
  ['/panel/news/keys.create', {}],
  ['/panel/news/keys.rotate', {}],
  ['/panel/news/keys.revoke', { key: '000000000000' }],
  ['/panel/news/blogs.domains', { domains: 'evil.example' }],
  ['/panel/news/import', { content: 'x' }],
  ['/panel/news/posts.restore', { post: 'p1', deletedAt: DELETED_AT }],
  ['/panel/news/blogs.rename', { name: 'Renamed' }],
  ['/panel/news/blogs.time-zone', { timeZone: 'Asia/Tokyo' }],
  ['/panel/news/blogs.publisher', { contact: 'ads@news.example' }],
  ['/panel/news/blogs.delete', { id: 'news' }],
  ['/panel/people/panel.invite', { name: 'Eve', role: 'manage', blog: '' }],
  ['/panel/people/panel.revoke', { name: 'Ada' }],
  ['/panel/blogs/blogs.create', { id: 'new', name: 'New' }],
];
const PAGES = [
  '/panel/news',
  '/panel/news/ads.csv',
  '/panel/news/days.csv',
  '/panel/news/placements.csv',
  '/panel/news/campaigns.csv',
  '/panel/news/campaigns',
  '/panel/news/hooks',
  '/panel/news/campaigns/spring',
  '/panel/news/ads',
  '/panel/news/ads/preview',
  `/panel/news/ads/${AD}`,
  '/panel/news/posts',
  '/panel/news/posts/p1',
  '/panel/news/posts/p1/text',
  '/panel/news/embed',
  '/panel/news/keys',
  '/panel/news/bin',
  '/panel/news/settings',
];

describe('the panel', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  let now = Date.parse('2026-11-22T10:00:00Z');
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`, { now: () => now });
    await panel.store.importBlogs([NEWS, OTHER], now);
  });
  afterAll(() => panel?.close());

  /** The stored data, to check that nothing changed. */
  const state = async () => [
    await panel.store.exportBlog('news'),
    await panel.store.listKeys('news'),
    (await panel.store.listBlogs()).map(({ id }) => id),
    (await panel.store.listPeople(now)).map(({ name }) => name),
  ];

  it('is 404 until somebody is invited, and again after the last person is revoked', async () => {
    for (const path of ['/panel', '/panel/', '/panel/sign-in?token=x', '/panel/assets/panel.js', ...PAGES])
      expect((await panel.ask(undefined, path)).status, path).toBe(404);
    await panel.store.invitePerson(MANAGER, 'first', now);
    expect((await panel.ask(undefined, '/panel')).status).toBe(401);
    await panel.store.revokePerson(MANAGER.name, Date.now());
    expect((await panel.ask(undefined, '/panel')).status).toBe(404);
  });

  describe('a sign-in link', () => {
    const use = (token: string) =>
      fetch(`${panel.url}/panel/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: panel.url },
        body: new URLSearchParams({ invitation: token }),
      });

    it('works once, even if it was opened before, and starts a session of thirty days', async () => {
      await panel.store.invitePerson(MANAGER, 'once', now);
      for (let looks = 0; looks < 3; looks++) {
        const page = await (await panel.ask(undefined, '/panel/sign-in?token=once')).text();
        expect(page).toContain('Ada');
        expect(page).not.toContain('Go to the panel');
      }
      const signedIn = await use('once');
      expect(signedIn.status).toBe(303);
      expect(signedIn.headers.get('set-cookie')).toMatch(
        /^broadsheet-panel=[\w-]{43}; Max-Age=2592000; Path=\/panel; HttpOnly; SameSite=Strict$/,
      );
      expect((await use('once')).status).toBe(403);
      expect((await panel.ask(undefined, '/panel/sign-in?token=once')).status).toBe(403);
      const session = /=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1];
      const start = now;
      now += SESSION_LIFE - 1;
      expect((await panel.ask(session, '/panel/news')).status).toBe(200);
      now += 1;
      expect((await panel.ask(session, '/panel/news')).status).toBe(401);
      now = start;
    });

    it('expires after an hour', async () => {
      await panel.store.invitePerson(MANAGER, 'late', now);
      now += INVITATION_LIFE;
      expect((await use('late')).status).toBe(403);
      now -= INVITATION_LIFE;
    });

    it('sets a Secure cookie behind https', async () => {
      await panel.store.invitePerson(MANAGER, 'secure', now);
      const { host } = new URL(panel.url);
      const response = await fetch(`${panel.url}/panel/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: `https://${host}` },
        body: new URLSearchParams({ invitation: 'secure' }),
      });
      expect(response.headers.get('set-cookie')).toContain('; Secure');
    });
  });

  it('refuses blog ids that are names of its own pages', async () => {
    const session = await panel.session(MANAGER);
    const pages = await Promise.all(
      ['/panel/blogs', '/panel/people', '/panel/log'].map(async (path) => (await panel.ask(session, path)).text()),
    );
    const linked = pages.join().matchAll(/(?:href|src|action)="\/panel\/([^/"?]+)/g);
    const names = new Set([...linked].map(([, name]) => name ?? ''));
    for (const { id } of [NEWS, OTHER]) names.delete(id);
    expect([...names]).toEqual(expect.arrayContaining(['assets', 'blogs', 'log', 'people', 'sign-out']));
    for (const id of [...names, 'sign-in']) {
      const response = await panel.ask(session, '/panel/blogs/blogs.create', { form: { id, name: 'x' } });
      expect([id, response.status]).toEqual([id, 400]);
    }
  });

  it.each(['/panel/..//evil.example', '//evil.example', '/panel/..\\\\evil.example', 'https://evil.example/panel/'])(
    'never redirects to another site after a change: %s',
    async (back) => {
      const session = await panel.session(MANAGER);
      const paused = await panel.ask(session, '/panel/news/ads.resume', { form: { ad: AD, back } });
      expect([paused.status, paused.headers.get('location')]).toEqual([303, '/panel/news/ads?done=resumed']);
    },
  );

  it('refuses every request without a session', async () => {
    for (const path of PAGES) expect((await panel.ask(undefined, path)).status, path).toBe(401);
    for (const path of PAGES) expect((await panel.ask('forged', path)).status, path).toBe(401);
    const before = await state();
    for (const [path, form] of CHANGES) expect((await panel.ask('forged', path, { form })).status, path).toBe(401);
    expect(await state()).toEqual(before);
  });

  it('refuses a form from another origin, even with the right session and token', async () => {
    const session = await panel.session(MANAGER);
    const before = await state();
    for (const [path, form] of CHANGES)
      for (const origin of ['https://evil.example', 'null', null, `${panel.url}0`, 'http://127.0.0.1'])
        expect((await panel.ask(session, path, { form, origin })).status, `${path} from ${origin}`).toBe(403);
    expect(await state()).toEqual(before);
    expect((await panel.ask(undefined, '/panel/sign-in', { form: {}, origin: 'https://evil.example' })).status).toBe(
      403,
    );
  });

  it('refuses a form without the token of its path and session, even with the right session and origin', async () => {
    const [session, other] = [await panel.session(MANAGER), await panel.session({ ...MANAGER, name: 'Eve' })];
    const before = await state();
    const { formToken } = await import('../src/access/visit.ts');
    for (const [path, form] of CHANGES) {
      for (const token of [null, '', 'x', formToken(other, path), formToken(session, '/panel/news')])
        expect((await panel.ask(session, path, { form, token })).status, path).toBe(403);
    }
    expect(await state()).toEqual(before);
  });

  it('lets a viewer see pages but change nothing, even with a forged form', async () => {
    const session = await panel.session(VIEWER);
    for (const path of PAGES) expect((await panel.ask(session, path)).status, path).toBe(200);
    for (const path of [
      '/panel/news/import',
      '/panel/news/ads.add',
      '/panel/news/campaigns.add',
      '/panel/news/snapshot.json',
      '/panel/people',
    ])
      expect((await panel.ask(session, path)).status, path).toBe(404);
    const before = await state();
    for (const [path, form] of CHANGES) expect((await panel.ask(session, path, { form })).status, path).toBe(403);
    expect(await state()).toEqual(before);
    for (const path of PAGES.filter((page) => !page.endsWith('preview'))) {
      const html = await (await panel.ask(session, path)).text();
      const forms = [...html.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, action]) => action);
      const enabled = forms.filter((action) => action !== '/panel/sign-out');
      // A form that a viewer sees is disabled completely.
      for (const action of enabled) expect(html, `${path}: ${action}`).toContain('<fieldset disabled');
    }
  });

  it('has the width of the device on every page and in every frame', async () => {
    const session = await panel.session(MANAGER);
    for (const path of PAGES.filter((page) => !page.endsWith('.csv'))) {
      expect(await (await panel.ask(session, path)).text(), path).toContain('<meta name="viewport"');
    }
  });

  it('hides other blogs, including their existence, from a manager of one blog', async () => {
    const session = await panel.session(ONE_BLOG);
    const before = await panel.store.exportBlog('secret');
    const nowhere = await (await panel.ask(session, '/panel/nowhere/ads')).text();
    for (const path of [...PAGES, '/panel/news/import', '/panel/news/snapshot.json']) {
      const elsewhere = await panel.ask(session, path.replace('/news', '/secret'));
      expect([elsewhere.status, await elsewhere.text()], path).toEqual([404, nowhere]);
    }
    for (const [path, form] of CHANGES.filter(([path]) => path.startsWith('/panel/news')))
      expect((await panel.ask(session, path.replace('/news', '/secret'), { form })).status, path).toBe(404);
    for (const path of ['/panel/people', '/panel/people/panel.revoke'])
      expect((await panel.ask(session, path)).status).toBe(404);
    for (const path of ['/panel/blogs', '/panel/log', ...PAGES]) {
      const html = await (await panel.ask(session, path)).text();
      expect(html, path).not.toMatch(/secret|undisclosed/i);
    }
    expect(await panel.store.exportBlog('secret')).toEqual(before);
  });

  describe('every route', () => {
    /** The paths of all routes of a blog, with ids of that blog. */
    const pathsOf = async (method: string, blog: string) => {
      const { createApp } = await import('../src/app.ts');
      const own = createApp({ store: panel.store, runAlone: createImportQueue() }).routes.filter(
        (route) => route.method === method,
      );
      const paths = own.map(({ path }) => path).filter((path) => path.startsWith('/panel/:blog'));
      const [ad, post] = blog === 'secret' ? [OTHER.ads[0]?.id, 'undisclosed'] : [NEWS.ads[0]?.id, 'p1'];
      const campaign = blog === 'secret' ? 'undisclosed' : 'spring';
      const values: Record<string, string | undefined> = { blog, ad, post, campaign, key: '000000000000' };
      return [...new Set(paths)].map((path) => path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? ''));
    };

    it('is 404 for a manager of another blog', async () => {
      const session = await panel.session(ONE_BLOG);
      const before = await panel.store.exportBlog('secret');
      const reads = await pathsOf('GET', 'secret');
      expect(reads.length).toBeGreaterThan(15);
      const nowhere = await (await panel.ask(session, '/panel/nowhere/ads')).text();
      for (const path of reads) {
        const response = await panel.ask(session, path);
        expect([response.status, await response.text()], path).toEqual([404, nowhere]);
      }
      const changes = await pathsOf('POST', 'secret');
      expect(changes.length).toBeGreaterThan(15);
      for (const path of changes) expect((await panel.ask(session, path, { form: {} })).status, path).toBe(404);
      expect(await panel.store.exportBlog('secret')).toEqual(before);
    });

    it('changes nothing for a viewer', async () => {
      const session = await panel.session(VIEWER);
      const before = await state();
      const changes = await pathsOf('POST', 'news');
      for (const path of changes) expect((await panel.ask(session, path, { form: {} })).status, path).toBe(403);
      expect(await state()).toEqual(before);
    });
  });

  it('imports nothing into another blog, and does not reveal its name', async () => {
    const session = await panel.session(ONE_BLOG);
    const before = await panel.store.exportBlog('secret');
    const file = (blogs: object[]) => new File([JSON.stringify({ blogs })], 'snapshot.json');
    const send = async (blogs: object[]) => {
      const response = await panel.ask(session, '/panel/news/import', { form: { file: file(blogs) } });
      return { status: response.status, html: await response.text() };
    };
    expect((await send([{ id: 'secret', name: 'Mine now', ads: [] }])).status).toBe(400);
    expect((await send([{ id: 'new', name: 'New' }])).status).toBe(400);
    // A message about a key of another blog must not name that blog.
    await panel.store.addKey('secret', 'key-of-secret', now);
    const probed = await send([{ id: 'news', name: 'The News', apiKeys: ['key-of-secret'] }]);
    expect(probed.html).not.toMatch(/secret/);
    expect((await panel.ask(session, '/panel/secret/bin')).status).toBe(404);
    expect(await panel.store.exportBlog('secret')).toEqual(before);
  });

  it('sends every page with a policy that allows no inline scripts or styles', async () => {
    const session = await panel.session(MANAGER);
    for (const path of [
      ...PAGES.filter((page) => !/csv/.test(page)),
      '/panel/people',
      '/panel/log',
      '/panel/blogs',
      '/nowhere',
      '/panel/nowhere',
    ]) {
      if (!path.startsWith('/panel')) continue;
      const response = await panel.ask(session, path);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy, path).toMatch(/^default-src 'none'; base-uri 'none'; form-action '(self|none)'; /);
      expect(policy, path).not.toMatch(/unsafe|nonce|script-src [^;]*(\*|https?:|data:)/);
      expect(response.headers.get('cache-control'), path).toBe('no-store');
      expect(await response.text(), path).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    }
  });

  it('writes no key, token or session to the log', async () => {
    const session = await panel.session(MANAGER);
    const made = await (await panel.ask(session, '/panel/news/keys.create', { form: {} })).text();
    const apiKey = /bs_[\w-]+/.exec(made)?.[0] ?? 'none';
    expect(apiKey).not.toBe('none');
    const invited = await panel.ask(session, '/panel/people/panel.invite', {
      form: { name: 'Zoe', role: 'view', blog: 'news' },
    });
    const link = /sign-in\?token=([\w-]{43})/.exec(await invited.text())?.[1] ?? 'none';
    expect(link).not.toBe('none');
    await panel.ask(undefined, `/panel/sign-in?token=${link}`);
    await panel.ask(session, '/panel/news/import', { form: { content: 'broken' } });
    const { entries } = await panel.store.readLog({ offset: 0, limit: 1000 });
    const everything = JSON.stringify(entries) + panel.logged.join('');
    expect(entries.map(({ what }) => what)).toContain('invited Zoe (view, news)');
    for (const secret of [apiKey, link, session, 'link-1-Ada']) expect(everything).not.toContain(secret);
  });
});

describe('a session', { shuffle: false }, () => {
  it('ends on every process when the person is revoked or signs out', async () => {
    const url = `sqlite:${temporaryFolder().join('panel.db')}`;
    const [one, two] = [await startPanel(url, Date), await startPanel(url, Date)];
    try {
      await one.store.importBlogs([NEWS], Date.now());
      const person: Person = { ...MANAGER, name: 'Out soon' };
      await one.store.invitePerson(MANAGER, 'somebody stays', Date.now());
      const sessions = [await one.session(person), await two.session(person)];
      for (const server of [one, two])
        for (const session of sessions) expect((await server.ask(session, '/panel/news')).status).toBe(200);
      await one.ask(sessions[0], '/panel/sign-out', { form: {} });
      expect((await two.ask(sessions[0], '/panel/news')).status).toBe(401);
      expect((await two.ask(sessions[1], '/panel/news')).status).toBe(200);
      await two.store.revokePerson('Out soon', Date.now(), true);
      for (const server of [one, two]) expect((await server.ask(sessions[1], '/panel/news')).status).toBe(401);
    } finally {
      await one.close();
      await two.close();
    }
  });
});
