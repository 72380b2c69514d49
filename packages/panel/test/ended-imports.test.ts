import type { SqlStore } from '@broadsheet/store';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';

const folder = temporaryFolder();
let panel: PanelServer;
let session = '';
let token = '';
beforeAll(async () => {
  panel = await startPanel(`sqlite:${folder.join('panel.db')}`, Date);
  await panel.store.importBlogs([NEWS], Date.now());
  session = await panel.session(MANAGER);
  token = 'bst_0123456789012345678901234567890123456789';
  const record = { name: 'ci', scope: 'all' as const, blogId: null, createdAt: new Date().toISOString() };
  await panel.store.createToken({ ...record, expiresAt: null }, token);
});
afterAll(() => panel?.close());

const post = (id: string) => ({ id: 'news', name: 'News', posts: [{ id, slug: id, title: id }] });

/** Lets imports begin only when the test opens the gate, and shows the signals that they were given. */
function hold() {
  const gate = Promise.withResolvers<void>();
  const signals: (AbortSignal | undefined)[] = [];
  const { importBlogs, importParts } = panel.store;
  const store: Pick<SqlStore, 'importBlogs' | 'importParts'> = panel.store;
  onTestFinished(() => void Object.assign(store, { importBlogs, importParts }));
  const wait = async (options: { readonly signal?: AbortSignal | undefined } | undefined) => {
    signals.push(options?.signal);
    await gate.promise;
  };
  store.importBlogs = async (blogs, now, options) => {
    await wait(options);
    return importBlogs(blogs, now, options);
  };
  store.importParts = async (blogId, parts, now, options) => {
    await wait(options);
    return importParts(blogId, parts, now, options);
  };
  return { signals, open: gate.resolve };
}

/** Sends an import through `/manage`. */
async function push(id: string, signal?: AbortSignal, as = token): Promise<Response> {
  const name = id.padEnd(64, '0');
  await panel.store.addImportPart('news', name, post(id), Date.now());
  const headers = { authorization: `Bearer ${as}` };
  const body = JSON.stringify({ parts: [name] });
  return fetch(`${panel.url}/manage/blogs/news/import.run`, {
    method: 'POST',
    headers,
    body,
    ...(signal && { signal }),
  });
}

const exists = async (id: string) => (await panel.store.getAnyPost('news', id)) !== undefined;

it('an import through /manage whose client is gone ends, and writes nothing', async () => {
  const { signals, open } = hold();
  const client = new AbortController();
  const abandoned = push('abandoned', client.signal);
  await expect.poll(() => signals.length).toBe(1);
  const next = push('next');
  client.abort();
  await expect(abandoned).rejects.toThrow('aborted');
  await expect.poll(() => signals[0]?.aborted).toBe(true);
  open();
  expect((await next).status).toBe(200);
  expect([await exists('abandoned'), await exists('next')]).toEqual([false, true]);
  expect(panel.logged.join()).not.toContain('failed');
});

it('an import that waits for another one does not begin after its client has gone', async () => {
  const { signals, open } = hold();
  const client = new AbortController();
  const first = push('first');
  await expect.poll(() => signals.length).toBe(1);
  const waiting = push('waiting', client.signal);
  const runs = () => panel.requests.filter(({ url }) => url.endsWith('/import.run')).length;
  await expect.poll(runs).toBeGreaterThanOrEqual(2);
  client.abort();
  await expect(waiting).rejects.toThrow('aborted');
  const last = push('last');
  open();
  expect([(await first).status, (await last).status]).toEqual([200, 200]);
  expect([await exists('waiting'), signals.length]).toEqual([false, 2]);
});

it('an import that waits for another one does not begin after its token or its person was revoked', async () => {
  const record = { name: 'late', scope: 'all' as const, blogId: null, createdAt: new Date().toISOString() };
  await panel.store.createToken({ ...record, expiresAt: null }, 'late-token');
  const late = await panel.session({ ...MANAGER, name: 'Late' });
  const { signals, open } = hold();
  const first = push('before');
  await expect.poll(() => signals.length).toBe(1);
  const requests = panel.requests.length;
  const ofToken = push('of-token', undefined, 'late-token');
  const file = new File([JSON.stringify({ blogs: [post('of-person')] })], 'snapshot.json');
  const ofPerson = panel.ask(late, '/panel/news/import', { form: { file } });
  // Once a later request has its response, both have passed the checks and are waiting.
  await expect.poll(() => panel.requests.length).toBe(requests + 2);
  await panel.ask(session, '/panel/news/import/progress?name=none');
  await panel.store.revokeToken('late');
  await panel.store.revokePerson('Late', Date.now());
  open();
  expect([(await first).status, (await ofToken).status, (await ofPerson).status]).toEqual([200, 401, 401]);
  expect([await exists('of-token'), signals.length]).toEqual([false, 1]);
});

it('a confirmed import in the panel ends with its client, too', async () => {
  const file = new File([JSON.stringify({ blogs: [post('confirmed')] })], 'snapshot.json');
  const preview = await panel.ask(session, '/panel/news/import', { form: { file } });
  const upload = /name="upload" value="([^"]+)"/.exec(await preview.text())?.[1] ?? '';
  const { signals, open } = hold();
  const client = new AbortController();
  const confirmed = panel.ask(session, '/panel/news/import', { form: { upload, name: 'a' }, signal: client.signal });
  await expect.poll(() => signals.length).toBe(1);
  client.abort();
  await expect(confirmed).rejects.toThrow('aborted');
  await expect.poll(() => signals[0]?.aborted).toBe(true);
  open();
  expect((await push('after')).status).toBe(200);
  expect([await exists('confirmed'), await exists('after')]).toEqual([false, true]);
});
