import { randomBytes } from 'node:crypto';
import type { SqlStore } from '@broadsheet/store';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { png, sha256 } from '../../../tools/testing/images.ts';
import { FORM_BYTES } from '../src/app.ts';
import { MANAGER, NEWS, ONE_BLOG, type PanelServer, startPanel } from './panel-server.ts';

const PAGE = '/panel/news/import';

describeDatabases('an import in the panel', (database) => {
  let panel: PanelServer;
  let session = '';
  const now = { at: Date.parse('2026-11-22T10:00:00Z') };
  beforeAll(async () => {
    panel = await startPanel(database.url, { now: () => now.at });
    await panel.store.importBlogs([NEWS], now.at);
    session = await panel.session(MANAGER);
  });
  afterAll(() => panel?.close());

  const snapshot = (...blogs: object[]) => new File([JSON.stringify({ blogs })], 'snapshot.json');
  const post = (id: string, content = '') => ({
    id: 'news',
    name: 'News',
    posts: [{ id, slug: id, title: id, content }],
  });
  const preview = async (file: File, as = session) => {
    const response = await panel.ask(as, PAGE, { form: { file } });
    const html = await response.text();
    return { status: response.status, html, upload: /name="upload" value="([^"]+)"/.exec(html)?.[1] ?? '' };
  };
  const confirm = (upload: string, as = session) => panel.ask(as, PAGE, { form: { upload, name: 'snapshot.json' } });

  it('content larger than the limit of other forms is previewed, and then imported', async () => {
    const content = randomBytes(FORM_BYTES).toString('base64');
    const { upload } = await preview(snapshot(post('large', content)));
    expect((await panel.store.getAnyPost('news', 'large')) ?? 'not yet').toBe('not yet');
    expect((await confirm(upload)).status).toBe(303);
    expect((await panel.store.getAnyPost('news', 'large'))?.content).toBe(content);
  });

  it('the images of a zip are stored, and posts get their URLs', async () => {
    const markdown = (text: string) => strToU8(`---\ntitle: Tea\ndate: 2026-01-01\n---\n\n${text}`);
    const zip = (text: string, images: Record<string, Uint8Array>) =>
      new File([Uint8Array.from(zipSync({ 'posts/tea.md': markdown(text), ...images }))], 'posts.zip');
    const missing = await panel.ask(session, PAGE, { form: { file: zip('![A cup](cup.png)', {}) } });
    expect([missing.status, await missing.text()]).toEqual([400, expect.stringContaining('cup.png')]);
    const url = `${panel.url}/media/${sha256(png(4, 5))}.png`;
    const bytes = png(4, 5, 3_000_000);
    const { upload, html } = await preview(
      zip('![A cup](cup.png)', { 'posts/cup.png': png(4, 5), 'posts/b.png': bytes }),
    );
    expect(html).toContain('The import also stores 1 image.');
    // An import that is not confirmed is neither public nor stored.
    expect((await fetch(url)).status).toBe(404);
    expect(await panel.store.missingImages('news', [sha256(png(4, 5))])).toHaveLength(1);
    expect((await confirm(upload)).status).toBe(303);
    const { items } = await panel.store.listAllPosts('news', { search: 'Tea' }, { offset: 0, limit: 1 });
    expect((await panel.store.getAnyPost('news', items[0]?.id ?? ''))?.content).toContain(`![A cup](${url})`);
    expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
    const again = await preview(zip('![](new.png)', { 'posts/new.png': bytes }));
    await panel.store.pruneImages('news');
    expect((await confirm(again.upload)).status).toBe(303);
    const stored = await fetch(`${panel.url}/media/${sha256(bytes)}.png`);
    expect(sha256(new Uint8Array(await stored.arrayBuffer()))).toBe(sha256(bytes));
    // A later upload of the session replaces the images of the earlier one.
    const first = await preview(zip('![](x.png)', { 'posts/x.png': png(9, 9) }));
    await preview(zip('![](y.png)', { 'posts/y.png': png(9, 8) }));
    const late = await confirm(first.upload);
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('choose the file again')]);
    expect((await fetch(`${panel.url}/media/${sha256(png(9, 9))}.png`)).status).toBe(404);
  });

  it('a renamed file can be imported if its old post is deleted, which the page offers', async () => {
    const file = (id: string) => snapshot({ id: 'moved', name: 'Moved', posts: [{ id, slug: 'same', title: 'Same' }] });
    await confirm((await preview(file('before'))).upload);
    const path = '/panel/moved/import';
    const refused = await panel.ask(session, path, { form: { file: file('after') } });
    const html = await refused.text();
    expect([refused.status, html]).toEqual([409, expect.stringContaining('prune')]);
    expect(html).toContain('name="prune"');
    expect(await (await panel.ask(session, path)).text()).not.toContain('name="prune"');
    const looked = await (await panel.ask(session, path, { form: { file: file('after'), prune: 'yes' } })).text();
    const upload = /name="upload" value="([^"]+)"/.exec(looked)?.[1] ?? '';
    expect(looked).toMatch(/<input type="checkbox" name="prune" value="yes" checked/);
    const form = { upload, name: 'snapshot.json' };
    // Without the deletion, the same problem offers it again.
    const without = await panel.ask(session, path, { form });
    expect([without.status, await without.text()]).toEqual([409, expect.stringContaining('name="prune"')]);
    expect((await panel.ask(session, path, { form: { ...form, prune: 'yes' } })).status).toBe(303);
    expect((await panel.store.exportBlog('moved'))?.posts.map(({ id }) => id)).toEqual(['after']);
  });

  it('a blog without posts is offered the title of the export as its name', async () => {
    const ghost = (title: string, slug = 'first') => {
      const posts = [{ id: slug, title: 'Tea', slug, status: 'published', published_at: '2026-01-01T00:00:00.000Z' }];
      const data = { posts, settings: [{ key: 'title', value: title }] };
      return new File([JSON.stringify({ db: [{ meta: {}, data }] })], 'leaf.json');
    };
    await panel.store.importBlogs([{ id: 'leaf', name: 'My blog' }], now.at);
    const path = '/panel/leaf/import';
    const look = async (file: File) => (await panel.ask(session, path, { form: { file } })).text();
    const carryOut = (html: string, form: Record<string, string>) => {
      const upload = /name="upload" value="([^"]+)"/.exec(html)?.[1] ?? '';
      return panel.ask(session, path, { form: { upload, name: 'leaf.json', ...form } });
    };
    const nameOf = async () => (await panel.store.listBlogs('leaf'))[0]?.name;
    // Markdown has no title: the blog keeps the name that somebody chose for it.
    const zip = new File([Uint8Array.from(zipSync({ 'a.md': strToU8('---\ntitle: Tea\n---\n') }))], 'posts.zip');
    expect(await look(zip)).not.toContain('name="blogName"');
    const html = await look(ghost('Leaf & Kettle'));
    expect(html).toMatch(/value="Leaf &amp; Kettle" id="blogName" name="blogName"/);
    expect(await nameOf()).toBe('My blog');
    const long = await carryOut(html, { blogName: 'x'.repeat(201) });
    expect([long.status, await long.text()]).toEqual([400, expect.stringContaining('at most 200 characters')]);
    expect((await carryOut(html, { blogName: ' Leaf ' })).status).toBe(303);
    expect(await nameOf()).toBe('Leaf');
    // From now on it has posts, and the page does not ask for the name of the blog.
    const later = await look(ghost('Leaf & Kettle', 'second'));
    expect(later).not.toContain('name="blogName"');
    expect((await carryOut(later, {})).status).toBe(303);
    expect(await nameOf()).toBe('Leaf');
  });

  it('the checkbox imports posts whose images are missing, with notes', async () => {
    const file = new File(
      [Uint8Array.from(zipSync({ 'a.md': strToU8('---\ntitle: Gone\n---\n![](gone.png)') }))],
      'p.zip',
    );
    const allowed = await panel.ask(session, PAGE, { form: { file, 'allow-missing': 'yes' } });
    const note = 'a.md:4: the image &quot;gone.png&quot; does not exist; check its path';
    expect([allowed.status, await allowed.text()]).toEqual([200, expect.stringContaining(note)]);
  });

  it('a preview can be confirmed only by its session, within an hour, until a new one replaces it', async () => {
    const other = await panel.session(ONE_BLOG);
    const { upload } = await preview(snapshot(post('mine')));
    expect((await confirm(upload, other)).status).toBe(400);
    now.at += 60 * 60 * 1000;
    const late = await confirm(upload);
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('choose the file again')]);
    const [first, second] = [await preview(snapshot(post('one'))), await preview(snapshot(post('two')))];
    expect((await confirm(first.upload)).status).toBe(400);
    expect((await confirm(second.upload)).status).toBe(303);
    expect(await panel.store.getAnyPost('news', 'one')).toBeUndefined();
  });

  it('a confirmed import that is sent again changes nothing, and shows the keys of new blogs again', async () => {
    const made = { id: 'made', name: 'Made', posts: [{ id: 'made-post', slug: 'made-post', title: 'Made' }] };
    const { upload, html } = await preview(snapshot(made));
    const once = /name="once" value="([^"]+)"/.exec(html.split('name="upload"')[0] ?? '')?.[1] ?? '';
    const send = async (more = {}) => {
      const form = { upload, once, name: 'snapshot.json', ...more };
      const response = await panel.ask(session, PAGE, { form });
      return { status: response.status, text: await response.text() };
    };
    const keyIn = ({ text }: { readonly text: string }) => /bs_[\w-]+/.exec(text)?.[0] ?? text;
    const first = await send();
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining('This API key was created') });
    await panel.store.unpublishPost('made', 'made-post', now.at);
    const log = await panel.store.readLog({ offset: 0, limit: 1 });
    const again = await send();
    expect([again.status, keyIn(again)]).toEqual([200, keyIn(first)]);
    // Another form of the same preview, which the browser shows after going back.
    expect(await send({ prune: 'yes' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('already imported'),
    });
    expect(await panel.store.getAnyPost('made', 'made-post')).toMatchObject({ status: 'DRAFT' });
    expect((await panel.store.readLog({ offset: 0, limit: 1 })).total).toBe(log.total);
  });

  it('content without a name keeps the name that a blog got during the preview', async () => {
    const zip = new File([Uint8Array.from(zipSync({ 'kept.md': strToU8('---\ntitle: Kept\n---\n') }))], 'posts.zip');
    const { upload } = await preview(zip);
    await panel.store.renameBlog('news', 'Renamed meanwhile');
    expect((await confirm(upload)).status).toBe(303);
    expect((await panel.store.listBlogs('news'))[0]?.name).toBe('Renamed meanwhile');
  });

  it('imports run one after another', async () => {
    const { importBlogs } = panel.store;
    const store: { importBlogs: SqlStore['importBlogs'] } = panel.store;
    onTestFinished(() => {
      store.importBlogs = importBlogs;
    });
    const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const running: number[] = [];
    store.importBlogs = async (...args) => {
      running.push((running.at(-1) ?? 0) + 1);
      started.resolve();
      await gate.promise;
      const imported = await importBlogs(...args);
      running.push((running.at(-1) ?? 0) - 1);
      return imported;
    };
    const send = (name: string) =>
      panel.ask(session, `${PAGE}?progress=${name}`, { form: { file: snapshot(post(name)) } });
    const textOf = async (name: string) =>
      (await (await panel.ask(session, `${PAGE}/progress?name=${name}`)).json()).text;
    const first = send('first');
    await started.promise;
    const second = send('second');
    await expect.poll(() => textOf('second')).toBe('Waiting for another import');
    gate.resolve();
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
    expect(running).toEqual([1, 0, 1, 0]);
  });

  it('an import whose log entry cannot be written imports nothing, and the next one shows the keys of new blogs', async () => {
    const { importBlogs } = panel.store;
    const store: { importBlogs: SqlStore['importBlogs'] } = panel.store;
    onTestFinished(() => {
      store.importBlogs = importBlogs;
    });
    const { upload } = await preview(snapshot({ id: 'fresh', name: 'Fresh' }));
    store.importBlogs = (blogs, at, options) =>
      importBlogs(blogs, at, {
        ...options,
        entries: async (imported) =>
          ((await options?.entries?.(imported)) ?? []).map((entry) => ({ ...entry, at: null as never })),
      });
    const failed = await confirm(upload);
    expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringMatching(/bs_[\w-]{20,}/)]);
    expect(await panel.store.hasBlog('fresh')).toBe(false);
    store.importBlogs = importBlogs;
    const response = await confirm(upload);
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/bs_[\w-]{20,}/)]);
    expect(await panel.store.listKeys('fresh')).toHaveLength(1);
    const { entries } = await panel.store.readLog({ blogId: 'fresh', offset: 0, limit: 10 });
    expect(entries.map(({ what }) => what)).toEqual([expect.stringContaining('imported “snapshot.json”')]);
  });
});
