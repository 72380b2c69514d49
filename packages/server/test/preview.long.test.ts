import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { serve } from './broadsheet.ts';
import { command } from './command.ts';
import { serveInProcess } from './in-process.ts';

const BLOG = {
  id: 'news',
  name: 'News',
  apiKeys: ['news-key'],
  posts: [{ id: 'p1', title: 'Soon', slug: 'soon', status: 'DRAFT' as const }],
};
const SITE = 'https://site.example/preview?from=desk';

describeDatabases('the preview of a post', (database) => {
  // Without BROADSHEET_SECRET, the secret comes from the database. Only this case depends on the kind of database.
  it.each(
    database.kind === 'SQLite' ? [{}, { BROADSHEET_SECRET: 'the secret of this installation, long enough' }] : [{}],
  )('a link of the command opens the draft on every server, with %j', async (env) => {
    const on = { cwd: database.cwd, env: { LOG_LEVEL: 'debug', ...env } };
    const run = (...args: string[]) => command([...args, '--database', database.url], on);
    await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [BLOG] }));
    expect((await run('import', 'blog.json')).code).toBe(0);
    const server = await serve(['--database', database.url], on);
    onTestFinished(() => void server.stop());

    const { stdout, stderr } = await run('posts', 'preview', 'news', 'p1', '--url', SITE);
    expect(stderr).toBe('This link opens the post for 24 hours. Anyone who has it can read the post.\n');
    const link = new URL(stdout.trim());
    const token = link.searchParams.get('token') ?? '';
    expect(link.href).toBe(`${SITE}&token=${token}`);
    const read = async (Authorization = `Bearer ${token}`, accept = 'text/html,*/*') => {
      const response = await fetch(`${server.url}/preview/post`, { headers: { Authorization, accept } });
      return { status: response.status, body: await response.json() };
    };
    expect(await read()).toMatchObject({ status: 200, body: { data: { id: 'p1', status: 'DRAFT' } } });
    expect(await read(`Bearer ${token}x`)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
    const published = await fetch(`${server.url}/public/posts/p1`, { headers: { 'X-API-Key': 'news-key' } });
    expect(published.status).toBe(404);

    expect((await run('posts', 'delete', 'news', 'p1')).code).toBe(0);
    expect(await read()).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    await server.stop();
    expect(server.said() + server.printed()).not.toContain(token.split('.')[1]);
  });

  it('a key that an older version stored as an empty text does not disable previews', async () => {
    const server = await serveInProcess(database.url);
    onTestFinished(server.stop);
    const { store, url } = server;
    await store.importBlogs([BLOG, { id: 'other', name: 'Other' }], Date.now());
    await store.addKey('other', '', Date.now());
    const token = await store.createPreviewToken('news', 'p1', Date.now());
    const read = async (headers: Readonly<Record<string, string>> = {}) =>
      (await fetch(`${url}/preview/post`, { headers: { authorization: `Bearer ${token}`, ...headers } })).status;
    expect([await read(), await read({ 'x-api-key': '' }), await read({ 'x-api-key': 'news-key' })]).toEqual([
      ...[200, 200, 200],
    ]);
    await store.deleteBlog('other');
  });

  it.each([
    ['http://site.example/preview', 'p1', 'url: expected a page of your site'],
    ['/preview', 'p1', 'url: expected a page of your site'],
    ['https://site.example', 'p9', 'There is no post "p9" in news'],
  ])('a link that would not work is refused: %s for %s', async (url, post, message) => {
    await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [BLOG] }));
    await command(['import', 'blog.json', '--database', database.url], database);
    const { code, stderr } = await command(
      ['posts', 'preview', 'news', post, '--url', url, '--database', database.url],
      database,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
