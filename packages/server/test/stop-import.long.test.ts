import { openStore } from '@broadsheet/store/node';
import { expect, it, onTestFinished } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { formToken } from '../../panel/src/access/visit.ts';
import { MANAGER, NEWS } from '../../panel/test/panel-server.ts';
import { serve } from './broadsheet.ts';

const PATH = '/panel/news/import';
const POSTS = 100_000;
const SNAPSHOT = JSON.stringify({
  blogs: [
    {
      id: 'news',
      name: 'News',
      posts: Array.from({ length: POSTS }, (_, id) => ({ id: `${id}`, slug: `${id}`, title: `Post ${id}` })),
    },
  ],
});

describeDatabases('a server that is stopped during an import of the panel', (database) => {
  it('the server stops before the systemd timeout, with all of the import or none', async () => {
    const url = await database.another();
    const store = await openStore(url);
    onTestFinished(() => store.close());
    await store.importBlogs([NEWS], Date.now());
    await store.invitePerson(MANAGER, 'invitation', Date.now());
    const server = await serve(['--database', url], database);
    onTestFinished(() => void server.child.kill('SIGKILL'));
    const signedIn = await fetch(`${server.url}/panel/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: server.url },
      body: new URLSearchParams({ invitation: 'invitation' }),
    });
    const session = /broadsheet-panel=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? '';
    const headers = { Origin: server.url, Cookie: `broadsheet-panel=${session}` };
    const send = (fields: Readonly<Record<string, string | File>>) => {
      const body = new FormData();
      body.set('token', formToken(session, PATH));
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      return fetch(`${server.url}${PATH}?progress=mine`, { method: 'POST', headers, body, redirect: 'manual' });
    };
    const preview = await (await send({ file: new File([SNAPSHOT], 'news.json') })).text();
    const upload = /name="upload" value="([^"]+)"/.exec(preview)?.[1] ?? '';
    const confirmed = send({ upload, name: 'news.json' }).then(
      ({ status }) => status,
      () => 'disconnected',
    );
    const progress = async () => (await fetch(`${server.url}${PATH}/progress?name=mine`, { headers })).text();
    await expect.poll(progress, { timeout: 60_000, interval: 20 }).toContain('Importing');
    // Like systemd after TimeoutStopSec.
    const killer = setTimeout(() => server.child.kill('SIGKILL'), 15_000);
    expect(await server.stop('SIGTERM')).toBe(0);
    clearTimeout(killer);
    const outcome = await confirmed;
    expect(outcome).toBeOneOf([303, 503, 'disconnected']);
    // A fast machine finishes the import within the 8 s that the panel has. A response that is lost says nothing about it.
    const imported = { 303: [POSTS], 503: [0], disconnected: [0, POSTS] }[outcome as 303 | 503 | 'disconnected'];
    const posts = (await store.exportBlog('news'))?.posts.length ?? 0;
    expect(posts - NEWS.posts.length).toBeOneOf(imported);
  });
});
