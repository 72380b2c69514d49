import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { createImportQueue } from '../../server/src/operators/import-queue.ts';
import { formToken } from '../src/access/visit.ts';
import { createApp } from '../src/app.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';

const folder = temporaryFolder();
let panel: PanelServer;
beforeAll(async () => {
  panel = await startPanel(`sqlite:${folder.join('panel.db')}`, Date);
  await panel.store.importBlogs([NEWS], Date.now());
});
afterAll(() => panel?.close());

/** Sends a form except for its end, and the end after `meanwhile`; resolves with the status of the response. */
async function sendSlowly(session: string, path: string, meanwhile: () => Promise<unknown>) {
  const checked = vi.spyOn(panel.store, 'findSession');
  const body = new URLSearchParams({ token: formToken(session, path), ad: NEWS.ads[0]?.id ?? '', name: 'Eve' });
  const last = '&last=1';
  const headers = {
    'content-length': `${body}${last}`.length,
    origin: panel.url,
    cookie: `broadsheet-panel=${session}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const outgoing = request(panel.url + path, { method: 'POST', headers, agent: false });
  const status = new Promise((resolve, reject) => {
    outgoing.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  outgoing.write(`${body}`);
  await vi.waitUntil(() => checked.mock.settledResults.length > 0, { interval: 1, timeout: 10_000 });
  checked.mockRestore();
  await meanwhile();
  outgoing.end(last);
  return status;
}

it('a form of somebody who is revoked while it arrives changes nothing', async () => {
  const paths = createApp({ store: panel.store, runAlone: createImportQueue() })
    .routes.filter(({ method, path }) => method === 'POST' && path !== '/panel/sign-in')
    .map(({ path }) => path.replace(':blog', 'news'));
  expect(paths.length).toBeGreaterThan(30);
  const session = await panel.session(MANAGER);
  const state = async () => [await panel.store.exportBlog('news'), await panel.store.listBlogs()];
  const before = await state();
  for (const path of paths) {
    const revoked = await panel.session({ ...MANAGER, name: 'Ben' });
    const status = await sendSlowly(revoked, path, () => panel.store.revokePerson('Ben', Date.now()));
    expect([path, status]).toEqual([path, 401]);
  }
  for (const path of paths.filter((one) => one !== '/panel/sign-out')) {
    const demoted = await panel.session({ ...MANAGER, name: 'Ben' });
    const demote = async () => {
      await panel.store.invitePerson({ name: 'Ben', role: 'view', blogId: null }, 'x', Date.now());
      await panel.store.signIn('x', randomUUID(), Date.now());
    };
    expect([path, await sendSlowly(demoted, path, demote)]).toEqual([path, 403]);
  }
  expect(await state()).toEqual(before);
  expect((await panel.store.readLog({ offset: 0, limit: 1 })).total).toBe(0);
  expect((await panel.ask(session, '/panel/news')).status).toBe(200);
});
