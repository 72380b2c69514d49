import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { png, sha256 } from '../../../tools/testing/images.ts';
import { openSite } from '../../../tools/testing/site.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { newSecret } from '../../management/src/commands/hooks.ts';
import { remoteImporter } from '../../management/src/imports/importer.ts';
import { createManagementClient } from '../../management/src/manage/management-client.ts';
import { serve } from './broadsheet.ts';
import { command } from './command.ts';
import { type InProcessServer, serveInProcess } from './in-process.ts';

describeDatabases('a server that is managed over HTTP', (database) => {
  let server: InProcessServer;
  let store: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
    const { apiKeys: _, ...other } = { ...TEST_BLOG, id: 'other', name: 'Other' };
    await store.importBlogs([TEST_BLOG, other], Date.now());
    server = await serveInProcess(database.url, { allowPrivateWebhooks: true });
  });
  afterAll(async () => {
    await server.stop();
    await store.close();
  });
  const url = () => server.url;
  /** For tests whose result does not depend on the kind of database. */
  const onOne = it.skipIf(database.kind === 'PostgreSQL');

  /** Runs a command on the database of the server. */
  const own = (...args: readonly string[]) => command([...args, '--database', database.url], database);
  /** Creates a token, which is revoked after the test. */
  async function create(name: string, ...flags: readonly string[]): Promise<string> {
    onTestFinished(async () => void (await store.revokeToken(name)));
    const { stdout, stderr } = await own('tokens', 'create', name, ...flags, '--json');
    expect(stderr).toBe('');
    return JSON.parse(stdout).token;
  }
  /** Runs a command on a server, with a token. */
  const remote = (token: string, args: readonly string[], at = url()) =>
    command([...args, '--database', at], { cwd: database.cwd, env: { BROADSHEET_ADMIN_TOKEN: token } });

  /** Sends a request to /manage without the client. */
  async function call(token: string, path: string, args?: unknown, at = url()) {
    const init = args === undefined ? {} : { method: 'POST', body: JSON.stringify(args) };
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${at}/manage${path}`, { ...init, headers });
    return { status: response.status, text: await response.text() };
  }
  const titles = async (blog = 'news') => {
    const { items } = await store.listAllPosts(blog, {}, { offset: 0, limit: 100 });
    return items.map(({ title }) => title).sort();
  };
  async function writeFolder(name: string, ...posts: readonly string[]): Promise<string> {
    const folder = join(database.cwd, name);
    await mkdir(folder);
    for (const title of posts) await writeFile(join(folder, `${title}.md`), `---\ntitle: ${title}\n---\nText.\n`);
    return folder;
  }

  onOne('without a token, /manage does not exist', async () => {
    expect(await call('guess', '')).toEqual({ status: 404, text: 'Not found\n' });
    expect((await call('guess', '/blogs/news/keys.list', {})).status).toBe(404);
    const { code, stderr } = await remote('guess', ['blogs', 'list']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('broadsheet tokens create NAME') });
  });

  it('a token is shown once and listed with its last use, and changes made with it are logged', async () => {
    const token = await create('desk', '--scope', 'all', '--expires', '90d');
    const { stdout: before } = await own('tokens', 'list', '--json');
    expect(JSON.parse(before)).toMatchObject([{ name: 'desk', scope: 'all', blogId: null, usedAt: null }]);
    expect(before).not.toContain(token);
    const added = await remote(token, ['ads', 'add', 'news', '--format', 'BANNER', '--title', 'Cocoa', '--json']);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const { usedAt } = (await store.listTokens())[0] ?? {};
    expect(Date.parse(usedAt ?? '')).toBeGreaterThan(Date.now() - 600_000);
    const { entries } = await store.readLog({ offset: 0, limit: 10 });
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ who: 'token desk', blogId: 'news', what: 'created the ad “Cocoa”' }),
        expect.objectContaining({ who: 'command line', what: 'created the token desk (all)' }),
      ]),
    );
    expect(JSON.stringify(entries)).not.toContain(token);
    expect(await own('tokens', 'create', 'desk', '--scope', 'all')).toMatchObject({ code: 2 });
    expect(await own('tokens', 'revoke', 'desk')).toMatchObject({ code: 0 });
    expect((await call(token, '')).status).toBe(404);
  });

  it('the commands work on a server as on its database', async () => {
    const token = await create('every', '--scope', 'all');
    const json = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await remote(token, [...args, '--json']);
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    };
    const { apiKey } = await json('blogs', 'create', 'fresh', '--name', 'Fresh');
    const read = async (key: string) =>
      (await fetch(`${url()}/public/posts`, { headers: { 'x-api-key': key } })).status;
    expect(await read(apiKey)).toBe(200);
    const { apiKey: rotated } = await json('keys', 'rotate', 'fresh');
    await expect.poll(async () => [await read(apiKey), await read(rotated)]).toEqual([401, 200]);
    const folder = await writeFolder('fresh', 'One', 'Two');
    expect(await json('import', folder, '--blog', 'fresh', '--dry-run')).toMatchObject({ blogs: [{ newPosts: 2 }] });
    expect(await titles('fresh')).toEqual([]);
    expect(await json('import', folder, '--blog', 'fresh')).toMatchObject({ blogs: [{ newPosts: 2 }] });
    await writeFile(join(folder, 'Three.md'), '---\ntitle: Three\n---\nText.\n');
    await writeFile(join(folder, 'One.md'), '---\ntitle: One\n---\n\nEdited.\n');
    await rm(join(folder, 'Two.md'));
    const changes = { posts: { added: ['Three'], changed: ['One'], removed: ['Two'] } };
    for (const more of [['--dry-run'], []]) {
      const { blogs } = await json('import', folder, '--blog', 'fresh', '--prune', ...more);
      expect(blogs).toMatchObject([{ changes }]);
    }
    // A folder contains no domains, so the domains of the blog stay.
    await json('blogs', 'domains', 'fresh', 'fresh.example');
    await json('import', folder, '--blog', 'fresh');
    expect(await json('blogs', 'domains', 'fresh')).toMatchObject({ domains: ['fresh.example'] });
    const { posts } = await json('posts', 'list', 'fresh');
    await json('posts', 'unpublish', 'fresh', posts[0].id);
    const exported = await remote(token, ['export', 'fresh']);
    expect(exported.stdout).toBe((await own('export', 'fresh')).stdout);
    const campaign = await json('campaigns', 'add', 'fresh', '--sponsor', 'Tea', '--name', 'Spring');
    await json('ads', 'add', 'fresh', '--format', 'BANNER', '--title', 'Tea', '--campaign', campaign.id);
    expect(await json('stats', 'fresh')).toMatchObject({ ads: [{ title: 'Tea' }], campaigns: [{ sponsor: 'Tea' }] });
    expect((await json('blogs', 'list')).map(({ id }: { id: string }) => id)).toEqual(['fresh', 'news', 'other']);
    expect(await remote(token, ['blogs', 'delete', 'fresh', '--yes'])).toMatchObject({ code: 0 });
    const env = { BROADSHEET_ADMIN_TOKEN: token };
    const copy = await command(['copy', url(), 'sqlite:copied.db'], { cwd: database.cwd, env });
    expect(copy).toMatchObject({ code: 2, stderr: expect.stringContaining('a server is copied by its database') });
  });

  onOne('the image of an ad, webhooks and the URLs of images are managed over HTTP', async () => {
    const token = await create('media', '--scope', 'all');
    await store.createBlog({ id: 'media', name: 'Media', domains: [] });
    await using site = await openSite((_, response) => void response.writeHead(204).end());
    const run = (...args: string[]) => remote(token, args);
    const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

    const images = ['one.png', 'two.png'].map((name) => join(database.cwd, name));
    for (const [index, image] of images.entries()) await writeFile(image, png(20, 20 + index));
    const [first = '', second = ''] = images;
    const ad = await json('ads', 'add', 'media', '--format', 'BANNER', '--image', first);
    const edited = await json('ads', 'edit', 'media', ad.id, '--image', second);
    expect(edited.imageUrl).not.toBe(ad.imageUrl);
    for (const { imageUrl } of [ad, edited])
      expect((await fetch(imageUrl)).headers.get('content-type')).toBe('image/png');
    expect(await json('media', 'move', url(), 'https://new.example', '--blog', 'media')).toEqual([
      { blog: 'media', changed: 1 },
    ]);
    expect((await json('ads', 'list', 'media'))[0].imageUrl).toMatch(/^https:\/\/new\.example\/media\//);

    const hook = await json('hooks', 'add', 'media', site.url, '--events', 'ads.changed');
    expect(await json('hooks', 'test', 'media', hook.id)).toMatchObject({ status: 204 });
    expect((await json('hooks', 'rotate', 'media', hook.id)).secret).not.toBe(hook.secret);
    expect((await run('hooks', 'list', 'media')).stdout).toMatch(/ads\.changed .* active[\s\S]* delivered +1 +204/);
    expect(await run('hooks', 'delete', 'media', hook.id)).toMatchObject({ code: 0 });
    expect(await json('hooks', 'list', 'media')).toMatchObject({ hooks: [] });

    const posts = await create('posts', '--scope', 'import');
    for (const args of [
      ['hooks', 'list', 'media'],
      ['ads', 'add', 'media', '--format', 'BANNER', '--image', first],
    ]) {
      expect((await remote(posts, args)).stderr, args[0]).toMatch(/has the scope import: this requires the scope/);
    }
    const { stderr: ofTokens } = await run('tokens', 'list');
    expect(ofTokens).toContain(
      "tokens.list concerns the server itself: run it on the server's machine, with its database",
    );
    expect((await run('panel', 'people')).stderr).toContain('panel.people concerns the server itself');
    await store.deleteBlog('media');
  });

  onOne('a preview link created over HTTP is signed with the secret of the server', async () => {
    const token = await create('editor', '--scope', 'import');
    const other = await serveInProcess(database.url, { secret: 'a secret of this server that no database has' });
    onTestFinished(other.stop);
    const args = ['posts', 'preview', 'news', 'p1', '--url', 'https://site.example/preview', '--json'];
    const { stdout, stderr } = await remote(token, args, other.url);
    const preview = /eyJ[\w.-]+/.exec(stdout)?.[0] ?? stderr;
    const response = await fetch(`${other.url}/preview/post`, { headers: { authorization: `Bearer ${preview}` } });
    expect(response.status).toBe(200);
  });

  onOne('a wrong scope and a wrong blog are refused with the scope that is needed', async () => {
    const ci = await create('ci', '--scope', 'import', '--blog', 'news');
    const ads = await create('shop', '--scope', 'ads');
    const refusal = async (token: string, ...args: readonly string[]) => {
      const { code, stderr } = await remote(token, args);
      return `${code}: ${stderr}`;
    };
    expect(await refusal(ci, 'stats', 'news')).toMatch(/^2: .* has the scope import: .* scope ads or stats or all/);
    expect(await refusal(ci, 'keys', 'list', 'news')).toMatch(/the scope import: this requires the scope all/);
    expect(await refusal(ci, 'posts', 'list', 'other')).toMatch(
      /is for the blog news, and permits nothing else: other needs a token of its own/,
    );
    expect(await refusal(ads, 'posts', 'list', 'news')).toMatch(/the scope ads: this requires the scope import or all/);
    expect((await call(ci, '', undefined)).text).toBe('{"result":["news"]}');
    // The blog of a part, and its keys, are checked as well.
    const blog = { id: 'other', name: 'Other' };
    const name = 'f'.repeat(64);
    expect((await call(ci, '/blogs/news/import.add', { name, part: blog })).status).toBe(400);
    const keys = { id: 'news', name: 'News', apiKeys: ['chosen-key'] };
    expect((await call(ci, '/blogs/news/import.add', { name, part: keys })).status).toBe(403);
    expect((await call(ads, '/blogs/news/ads.add', { format: 'WALL' })).status).toBe(400);
    expect((await call(ci, '/blogs/people/posts.list', {})).status).toBe(403);
  });

  onOne('an image that is not base64 is refused with the name of its field', async () => {
    const token = await create('images', '--scope', 'ads');
    for (const malformed of ['a*b=', 'abc*', 'a']) {
      expect(await call(token, '/blogs/news/media.add', { image: malformed })).toEqual({
        status: 400,
        text: expect.stringContaining('"message":"image: expected base64"'),
      });
    }
    const image = Buffer.from(png(1, 1)).toString('base64');
    expect((await call(token, '/blogs/news/media.add', { image })).status).toBe(200);
  });

  onOne('a webhook with a URL that cannot be used is refused with the name of its field', async () => {
    const token = await create('urls', '--scope', 'all');
    for (const url of ['x', '/relative', 'https://user:word@site.example/']) {
      const response = await call(token, '/blogs/news/hooks.add', { url });
      expect(response).toEqual({ status: 400, text: expect.stringContaining('"message":"url: ') });
    }
    const { text } = await call(token, '/blogs/news/hooks.add', { url: 'https://site.example/', secret: newSecret() });
    expect(text).toContain('unknown: secret');
  });

  it('a token that is revoked while its request arrives changes nothing', async () => {
    const token = await create('slow', '--scope', 'all');
    const before = await store.listKeys('news');
    const headers = { authorization: `Bearer ${token}`, 'content-length': 2 };
    const outgoing = request(`${url()}/manage/blogs/news/keys.create`, { method: 'POST', headers, agent: false });
    const status = new Promise<number | undefined>((resolve) => {
      outgoing.on('response', ({ statusCode }) => resolve(statusCode));
    });
    outgoing.write('{');
    const usedAt = async () => (await store.listTokens()).find(({ name }) => name === 'slow')?.usedAt;
    await expect.poll(usedAt).not.toBeNull();
    await store.revokeToken('slow');
    outgoing.end('}');
    expect(await status).toBe(401);
    expect(await store.listKeys('news')).toEqual(before);
  });

  onOne('an import may change only what the scopes of its token permit, and unchanged fields need none', async () => {
    const ad = { id: crypto.randomUUID(), format: 'BANNER' as const, title: 'Tea' };
    const campaign = { id: 'spring', sponsor: 'Tea', name: 'Spring' };
    const settings = { name: 'Kept', domains: ['kept.example'], timeZone: 'Asia/Tokyo' };
    await store.importBlogs([{ id: 'kept', ...settings, ads: [ad], campaigns: [campaign] }], Date.now());
    const tokens: Record<string, string> = {};
    for (const scope of ['import', 'ads', 'all']) tokens[scope] = await create(scope, '--scope', scope);
    const posts = [{ id: 'p', title: 'P', slug: 'p' }];
    const push = async (scope: string, change: object, id = 'kept') => {
      const part = { id, ...settings, ...change };
      const name = sha256(Buffer.from(JSON.stringify(part)));
      const added = await call(tokens[scope] ?? '', `/blogs/${id}/import.add`, { name, part });
      if (added.status !== 200) return added.status;
      return (await call(tokens[scope] ?? '', `/blogs/${id}/import.run`, { parts: [name] })).status;
    };
    const state = async () => [await store.exportBlog('kept'), await store.listKeys('kept'), await store.listBlogs()];
    for (const [change, needed] of [
      [{ posts }, 'import'],
      [{ posts, ads: [ad], campaigns: [campaign] }, 'import'],
      [{ ads: [{ ...ad, linkUrl: 'https://evil.example/' }] }, 'ads'],
      [{ campaigns: [{ ...campaign, goal: { impressions: 1 } }] }, 'ads'],
      [{ name: 'Owned' }, 'all'],
      [{ domains: ['evil.example'] }, 'all'],
      [{ timeZone: 'Europe/Berlin' }, 'all'],
      [{ apiKeys: ['chosen-key'] }, 'all'],
    ] as const) {
      for (const scope of ['import', 'ads'].filter((other) => other !== needed)) {
        const before = await state();
        expect([change, scope, await push(scope, change)]).toEqual([change, scope, 403]);
        expect(await state()).toEqual(before);
      }
      expect([change, await push(needed, change)]).toEqual([change, 200]);
    }
    expect(await push('import', {}, 'made')).toBe(403);
    expect(await push('all', {}, 'made')).toBe(200);
    const { entries } = await store.readLog({ blogId: 'kept', offset: 0, limit: 10 });
    const logged = entries.filter(({ who }) => who.startsWith('token ')).map(({ what }) => what);
    expect(logged).toContain('imported 0 posts, 0 of them new; changed the domains, time zone');
    expect(logged).toContain('imported 0 posts, 0 of them new, 1 ads');
    for (const id of ['kept', 'made']) await store.deleteBlog(id);
  });

  onOne('a token restores only what its scope permits', async () => {
    const id = crypto.randomUUID();
    const posts = [{ id: 'p', title: 'P', slug: 'p' }];
    const campaigns = [{ id: 'c', sponsor: 'Tea', name: 'C' }];
    const ads = [{ id, format: 'BANNER' as const, title: 'Tea' }];
    await store.importBlogs([{ id: 'bin', name: 'Bin', posts, campaigns, ads }], Date.now());
    await store.deletePost('bin', 'p', Date.now());
    await store.deleteAd('bin', id, Date.now());
    await store.deleteCampaign('bin', 'c', Date.now());
    const { items: entries } = await store.listBin('bin', Date.now());
    expect(entries.map(({ kind }) => kind).sort()).toEqual(['ad', 'campaign', 'post']);
    const ofPosts = await create('posts', '--scope', 'import');
    const ofAds = await create('ads', '--scope', 'ads');
    for (const { kind, id } of entries) {
      const [right, wrong] = kind === 'post' ? [ofPosts, ofAds] : [ofAds, ofPosts];
      const restore = (token: string) => call(token, `/blogs/bin/${kind}s.restore`, { [kind]: id });
      const needed = kind === 'post' ? 'this requires the scope import or all' : 'this requires the scope ads or all';
      expect(await restore(wrong), kind).toMatchObject({ status: 403, text: expect.stringContaining(needed) });
      expect((await restore(right)).status, kind).toBe(200);
    }
    expect((await store.listBin('bin', Date.now())).items).toEqual([]);
    await store.deleteBlog('bin');
  });

  it('the log says which message of a webhook was sent again', async () => {
    const token = await create('hooks', '--scope', 'all');
    const hook = { id: 'hook_again', url: 'http://127.0.0.1:9/', types: [], secret: newSecret() };
    await store.addHook('news', hook, Date.now());
    await store.testHook('news', hook.id);
    const [message] = await store.listHookMessages('news', 1);
    expect((await call(token, '/blogs/news/hooks.resend', { message: message?.id })).status).toBe(200);
    const { entries } = await store.readLog({ offset: 0, limit: 10 });
    expect(entries.map(({ what }) => what)).toContain(`sent the webhook message ${message?.id} again`);
    await store.deleteHook('news', hook.id);
  });

  it('an expired token is refused, and so is the token of a blog that was deleted', async () => {
    const record = { scope: 'all', createdAt: '2026-01-01T00:00:00.000Z' } as const;
    await store.createToken(
      { ...record, name: 'old', blogId: null, expiresAt: '2026-01-02T00:00:00.000Z' },
      'old-token',
    );
    await store.createBlog({ id: 'gone', name: 'Gone', domains: [] });
    await store.createToken({ ...record, name: 'gone', blogId: 'gone', expiresAt: null }, 'gone-token');
    expect((await call('old-token', '')).status).toBe(401);
    expect((await call('gone-token', '')).status).toBe(200);
    await store.deleteBlog('gone');
    expect((await call('gone-token', '')).status).toBe(401);
    expect((await store.listTokens()).map(({ name }) => name)).toEqual(['old']);
    await store.revokeToken('old');
  });

  it('three servers over one database refuse a revoked token within a second', async () => {
    const servers = [server, await serveInProcess(database.url), await serveInProcess(database.url)];
    for (const { stop } of servers.slice(1)) onTestFinished(stop);
    await create('keeps', '--scope', 'stats');
    const token = await create('short', '--scope', 'stats');
    for (const { url } of servers) expect((await call(token, '', undefined, url)).status).toBe(200);
    await store.revokeToken('short');
    // A request that is sent after the revocation is refused, so the delay is below a second.
    for (const { url } of servers) expect((await call(token, '', undefined, url)).status).toBe(401);
  });

  onOne('wrong tokens are limited for each IP address and never logged, and a valid token is not limited', async () => {
    const token = await create('fast', '--scope', 'stats');
    const process = await serve(['--database', database.url], { cwd: database.cwd, env: { LOG_LEVEL: 'debug' } });
    onTestFinished(async () => void (await process.stop()));
    const statuses = await Promise.all(
      Array.from(
        { length: 100 },
        async (_, guess) => (await call(`guess-${guess}`, '', undefined, process.url)).status,
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(50);
    for (let turn = 0; turn < 50; turn += 1) expect((await call(token, '', undefined, process.url)).status).toBe(200);
    expect((await call(token, '/blogs/news/keys.list', {}, process.url)).status).toBe(403);
    await process.stop();
    expect(process.said()).toContain('stopping');
    expect(process.said() + process.printed()).not.toMatch(/guess-|bst_/);
  });

  onOne('a process refuses a body of 1 GB early, with and without its length', async () => {
    const token = await create('large', '--scope', 'import');
    const server = await serve(['--database', database.url], database);
    onTestFinished(async () => void (await server.stop()));
    const send = (headers: Readonly<Record<string, string | number>>, authorization: string) =>
      new Promise<{ status: number | undefined; sent: number }>((resolve, reject) => {
        let sent = 0;
        const path = `${server.url}/manage/blogs/news/import.add`;
        const outgoing = request(path, { method: 'POST', headers: { ...headers, authorization }, agent: false });
        const chunk = Buffer.alloc(1024 * 1024, 'a');
        const write = (): void => {
          while (sent < 1024 && !outgoing.destroyed) {
            sent += 1;
            if (!outgoing.write(chunk)) return void outgoing.once('drain', write);
          }
        };
        outgoing.on('response', ({ statusCode }) => {
          outgoing.destroy();
          resolve({ status: statusCode, sent });
        });
        outgoing.on('error', reject);
        write();
      });
    const declared = { 'content-length': 1024 ** 3 };
    // The sockets of both ends hold some MiB; the server reads at most 2 MB, and only for a valid token.
    for (const [headers, authorization, status, most] of [
      [declared, `Bearer ${token}`, 413, 16],
      [{}, `Bearer ${token}`, 413, 32],
      [declared, 'Bearer wrong', 401, 16],
      [{}, 'Bearer wrong', 401, 16],
      [{}, '', 401, 16],
    ] as const) {
      // A body that is not read to its end may break the connection before the response arrives.
      const result = await vi.waitFor(() => send(headers, authorization), { timeout: 10_000 });
      expect(result.status).toBe(status);
      expect(result.sent).toBeLessThan(most);
    }
  });

  it('an import request that is sent again changes nothing', async () => {
    const token = await create('replay', '--scope', 'import', '--blog', 'news');
    const part = { id: 'news', name: 'News', posts: [{ id: 'again', title: 'Again', slug: 'again' }] };
    const name = createHash('sha256').update(JSON.stringify(part)).digest('hex');
    const add = () => call(token, '/blogs/news/import.add', { name, part });
    const run = () => call(token, '/blogs/news/import.run', { parts: [name] });
    expect([(await add()).status, (await add()).status]).toEqual([200, 200]);
    expect((await run()).text).toContain('"newPosts":1');
    expect((await run()).text).toContain('"newPosts":0');
    expect((await titles()).filter((title) => title === 'Again')).toHaveLength(1);
    const unknown = await call(token, '/blogs/news/import.run', { parts: ['b'.repeat(64)] });
    expect(unknown).toMatchObject({ status: 400, text: expect.stringContaining('run the import again') });
    // One request could otherwise keep the imports of all blogs waiting.
    const repeated = await call(token, '/blogs/news/import.run', { parts: [name, name] });
    expect(repeated).toMatchObject({ status: 400, text: expect.stringContaining('parts: contains repeats') });
    await own('tokens', 'revoke', 'replay');
  });

  it('two imports of the same content at the same time both succeed', async () => {
    const token = await create('push', '--scope', 'import', '--blog', 'news');
    const posts = ['one', 'two'].map((id) => ({ id, title: 'Pushed', slug: id }));
    const importer = () => remoteImporter(createManagementClient(url(), token).run);
    // A blog in several parts, one of them twice, as a snapshot may list it.
    const pieces = [...posts, ...posts].map((post) => ({ id: 'news', name: 'News', posts: [post] }));
    const [one, two] = [importer(), importer()].map((to) => to.importBlogs(pieces, Date.now(), {}));
    const imported = (await Promise.all([one, two])).flatMap((blogs) => blogs ?? []);
    expect(imported.map(({ posts: count }) => count)).toEqual([2, 2]);
    expect(imported.map(({ newPosts }) => newPosts).sort()).toEqual([0, 2]);
    expect((await titles()).filter((title) => title === 'Pushed')).toHaveLength(2);
    await own('tokens', 'revoke', 'push');
  });

  it('an import whose connection is cut changes nothing, and the next one sends only what is missing', async () => {
    const token = await create('cut', '--scope', 'import', '--blog', 'other');
    const content = 'A paragraph of text that fills a part. '.repeat(5000);
    const posts = Array.from({ length: 30 }, (_, number) => ({
      id: `cut-${number}`,
      title: `Cut ${number}`,
      slug: `cut-${number}`,
      content: `${number} ${content}`,
    }));
    await writeFile(join(database.cwd, 'cut.json'), JSON.stringify({ blogs: [{ id: 'other', name: 'Other', posts }] }));
    // Forwards bytes to the server until the limit is reached.
    let [left, forwarded] = [2_500_000, 0];
    const target = new URL(url());
    const proxy = createServer((client) => {
      const origin = connect(Number(target.port), target.hostname);
      origin.on('data', (chunk) => void client.write(chunk)).on('error', () => client.destroy());
      origin.on('close', () => client.destroy());
      client.on('error', () => origin.destroy()).on('close', () => origin.destroy());
      client.on('data', (chunk) => {
        forwarded += chunk.length;
        left -= chunk.length;
        if (left > 0) return void origin.write(chunk);
        origin.destroy();
        client.resetAndDestroy();
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const before = await titles('other');
    expect(await remote(token, ['import', 'cut.json'], at)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/connection was lost|cannot be reached/),
    });
    expect(await titles('other')).toEqual(before);
    [left, forwarded] = [Number.POSITIVE_INFINITY, 0];
    expect(await remote(token, ['import', 'cut.json'], at)).toMatchObject({ code: 0 });
    expect(await titles('other')).toHaveLength(before.length + 30);
    // The whole import has 6 MB, of which 2 MB had arrived.
    expect(forwarded).toBeLessThan(4_900_000);
  });

  onOne.each([
    [413, /returned 413: a proxy limits the size of a request/],
    [429, /returned 429; try again in a moment/],
  ])(
    'a proxy that refuses requests with %i is not mistaken for a server without management',
    async (status, message) => {
      await using proxy = await openSite(({ url: path }, response) => {
        if (path === '/healthz') response.end('{"status":"ok"}');
        else response.writeHead(status, { 'Retry-After': '0.01' }).end('<h1>Refused</h1>');
      });
      expect(await remote('token', ['blogs', 'list'], proxy.url)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(message),
      });
    },
  );

  onOne('the client refuses URLs that cannot lead to a server', async () => {
    const refusal = async (at: string) => (await remote('token', ['blogs', 'list'], at)).stderr;
    expect(await refusal('http://blog.example')).toContain('would send the token in the clear: write https://');
    expect(await refusal(`${url()}/panel`)).toContain('from the end');
    expect(await refusal(`${url()}/wrong/path`)).toContain('There is no Broadsheet at');
  });
});
