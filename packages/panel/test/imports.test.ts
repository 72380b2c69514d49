import { randomBytes } from 'node:crypto';
import type { ServerStore } from '@broadsheet/management';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
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
    const answer = await panel.ask(as, PAGE, { form: { file } });
    const html = await answer.text();
    return { status: answer.status, upload: /name="upload" value="([^"]+)"/.exec(html)?.[1] ?? '' };
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
    const { upload } = await preview(zip('![A cup](cup.png)', { 'posts/cup.png': png(4, 5) }));
    expect((await confirm(upload)).status).toBe(303);
    const url = `${panel.url}/media/${sha256(png(4, 5))}.png`;
    const { items } = await panel.store.listAllPosts('news', { search: 'Tea' }, { offset: 0, limit: 1 });
    expect((await panel.store.getAnyPost('news', items[0]?.id ?? ''))?.content).toContain(`![A cup](${url})`);
    expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
    const again = await preview(zip('![](new.png)', { 'posts/new.png': png(6, 5) }));
    await panel.store.pruneImages('news');
    const late = await confirm(again.upload);
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('choose the file again')]);
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

  it('imports run one after another', async () => {
    const { importBlogs } = panel.store;
    const store: { importBlogs: ServerStore['importBlogs'] } = panel.store;
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
    const wordsOf = async (name: string) =>
      (await (await panel.ask(session, `${PAGE}/progress?name=${name}`)).json()).words;
    const first = send('first');
    await started.promise;
    const second = send('second');
    await vi.waitUntil(async () => (await wordsOf('second')) === 'Waiting for another import');
    gate.resolve();
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
    expect(running).toEqual([1, 0, 1, 0]);
  });

  it('an import shows the keys of new blogs, even if the log cannot be written', async () => {
    const { writeLog } = panel.store;
    const store: { writeLog: ServerStore['writeLog'] } = panel.store;
    onTestFinished(() => {
      store.writeLog = writeLog;
    });
    store.writeLog = () => Promise.reject(new Error('the disk is full'));
    const { upload } = await preview(snapshot({ id: 'fresh', name: 'Fresh' }));
    const answer = await confirm(upload);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/bs_[\w-]{20,}/)]);
    expect(await panel.store.listKeys('fresh')).toHaveLength(1);
    expect(panel.logged.join()).toContain('not recorded in the log');
  });
});
