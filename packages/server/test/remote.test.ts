import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { png } from '../../../tools/testing/images.ts';
import { openSite } from '../../../tools/testing/site.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { openStore } from '../../management/src/open-store.ts';
import type { ServerStore } from '../../management/src/server-store.ts';
import { newSecret } from '../../management/src/webhooks/signature.ts';
import { type ServerProcess, serve } from './broadsheet.ts';
import { command } from './command.ts';

describeDatabases('a server that is managed over HTTP', (database) => {
  let servers: ServerProcess[];
  let store: ServerStore;
  beforeAll(async () => {
    const { apiKeys: _, ...other } = { ...TEST_BLOG, id: 'other', name: 'Other' };
    await writeFile(join(database.cwd, 'blogs.json'), JSON.stringify({ blogs: [TEST_BLOG, other] }));
    const start = (...args: string[]) =>
      serve([...args, '--database', database.url], { cwd: database.cwd, env: { ALLOW_PRIVATE_WEBHOOKS: '1' } });
    servers = [await start('--import', 'blogs.json'), await start(), await start()];
    store = await openStore(database.url);
  });
  afterAll(async () => {
    await store.close();
    await Promise.all(servers.map((server) => server.stop()));
  });
  const url = () => servers[0]?.url ?? '';

  /** Runs a command on the database of the servers. */
  const own = (...args: readonly string[]) => command([...args, '--database', database.url], database);
  async function create(name: string, ...flags: readonly string[]): Promise<string> {
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
    const answer = await fetch(`${at}/manage${path}`, { ...init, headers });
    return { status: answer.status, text: await answer.text() };
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

  it('without a token, /manage does not exist', async () => {
    expect(await call('guess', '')).toEqual({ status: 404, text: 'Not found\n' });
    expect((await call('guess', '/blogs/news/listKeys', [])).status).toBe(404);
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
    const { id } = JSON.parse(added.stdout);
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ who: 'token desk', blogId: 'news', what: `saved the ad ${id}` }),
        expect.objectContaining({ who: 'command line', what: 'created the token desk (all)' }),
      ]),
    );
    expect(JSON.stringify(entries)).not.toContain(token);
    expect(await own('tokens', 'create', 'desk', '--scope', 'all')).toMatchObject({ code: 2 });
    await own('tokens', 'revoke', 'desk');
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
    await vi.waitFor(async () => expect([await read(apiKey), await read(rotated)]).toEqual([401, 200]));
    const folder = await writeFolder('fresh', 'One', 'Two');
    expect(await json('import', folder, '--blog', 'fresh', '--dry-run')).toMatchObject({ blogs: [{ newPosts: 2 }] });
    expect(await titles('fresh')).toEqual([]);
    expect(await json('import', folder, '--blog', 'fresh')).toMatchObject({ blogs: [{ newPosts: 2 }] });
    // A folder contains no domains, so those of the blog stay.
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
    await own('tokens', 'revoke', 'every');
  });

  it('the image of an ad, webhooks and the URLs of images are managed over HTTP', async () => {
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
      expect((await remote(posts, args)).stderr, args[0]).toMatch(/has the scope import: this needs the scope/);
    }
    const { stderr: ofTokens } = await run('tokens', 'list');
    expect(ofTokens).toContain('the tokens of a server are managed on its machine, with its database');
    expect((await run('panel', 'people')).stderr).toContain('run this command on its machine');
    await store.deleteBlog('media');
    for (const name of ['media', 'posts']) await own('tokens', 'revoke', name);
  });

  it('a preview link created over HTTP is signed with the secret of the server', async () => {
    const token = await create('editor', '--scope', 'import');
    const env = { BROADSHEET_SECRET: 'a secret of this server that no database has' };
    const server = await serve(['--database', database.url], { ...database, cwd: database.cwd, env });
    onTestFinished(async () => void (await server.stop()));
    const args = ['posts', 'preview', 'news', 'p1', '--url', 'https://site.example/preview', '--json'];
    const { stdout, stderr } = await remote(token, args, server.url);
    const preview = /eyJ[\w.-]+/.exec(stdout)?.[0] ?? stderr;
    const answer = await fetch(`${server.url}/preview/post`, { headers: { authorization: `Bearer ${preview}` } });
    expect(answer.status).toBe(200);
    await own('tokens', 'revoke', 'editor');
  });

  it('a wrong scope and a wrong blog are refused with the scope that is needed', async () => {
    const ci = await create('ci', '--scope', 'import', '--blog', 'news');
    const ads = await create('shop', '--scope', 'ads');
    const refusal = async (token: string, ...args: readonly string[]) => {
      const { code, stderr } = await remote(token, args);
      return `${code}: ${stderr}`;
    };
    expect(await refusal(ci, 'stats', 'news')).toMatch(/^2: .* has the scope import: .* scope ads or stats or all/);
    expect(await refusal(ci, 'keys', 'list', 'news')).toMatch(/the scope import: this needs the scope all/);
    expect(await refusal(ci, 'posts', 'list', 'other')).toMatch(
      /is for the blog news: other needs .* scope import or all/,
    );
    expect(await refusal(ads, 'posts', 'list', 'news')).toMatch(/the scope ads: this needs the scope import or all/);
    expect((await call(ci, '', undefined)).text).toBe('{"result":["news"]}');
    // The blog of a part, and its keys, are checked as well.
    const blog = { id: 'other', name: 'Other' };
    expect((await call(ci, '/blogs/news/addImportPart', ['x', blog])).status).toBe(400);
    const keys = { id: 'news', name: 'News', apiKeys: ['chosen-key'] };
    expect((await call(ci, '/blogs/news/addImportPart', ['x', keys])).status).toBe(403);
    expect((await call(ads, '/blogs/news/putAd', [{ id: 'no uuid', format: 'WALL' }])).status).toBe(400);
    expect((await call(ci, '/blogs/people/listAllPosts', [{}, { offset: 0, limit: 1 }])).status).toBe(403);
    for (const name of ['ci', 'shop']) await own('tokens', 'revoke', name);
  });

  it('an image that is not base64 is refused with the name of its field', async () => {
    const token = await create('images', '--scope', 'ads');
    for (const malformed of ['a*b=', 'abc*', 'a']) {
      expect(await call(token, '/blogs/news/addImage', [malformed])).toEqual({
        status: 400,
        text: '{"error":{"name":"Refused","message":"Argument 1: image: must be base64"}}',
      });
    }
    expect((await call(token, '/blogs/news/addImage', [Buffer.from(png(1, 1)).toString('base64')])).status).toBe(200);
    await own('tokens', 'revoke', 'images');
  });

  it('a secret of a webhook that is not base64 is refused with the name of its field', async () => {
    const token = await create('secrets', '--scope', 'all');
    const hook = { id: 'hook', url: 'https://site.example/', types: [], secret: newSecret() };
    const now = Date.now();
    for (const secret of ['', 'whsec_', 'whsec_a*b=', 'whsec_abc', 'whsec_YWJj YWJj', newSecret().slice(6)]) {
      for (const [verb, given] of Object.entries({
        addHook: { ...hook, secret },
        rotateHook: { id: 'hook', secret },
      })) {
        expect(await call(token, `/blogs/news/${verb}`, [given, now])).toEqual({
          status: 400,
          text: '{"error":{"name":"Refused","message":"Argument 1: secret: must be whsec_ followed by a key in base64"}}',
        });
      }
    }
    for (const url of ['x', '/relative', 'https://user:word@site.example/']) {
      const answer = await call(token, '/blogs/news/addHook', [{ ...hook, url }, now]);
      expect(answer).toEqual({ status: 400, text: expect.stringContaining('Argument 1: url: ') });
    }
    expect((await call(token, '/blogs/news/addHook', [hook, now])).text).toBe('{"result":true}');
    expect((await call(token, '/blogs/news/rotateHook', [hook, now])).text).toBe('{"result":true}');
    await store.deleteHook('news', 'hook');
    await own('tokens', 'revoke', 'secrets');
  });

  it('a token restores only what its scope permits', async () => {
    const id = crypto.randomUUID();
    const posts = [{ id: 'p', title: 'P', slug: 'p' }];
    const campaigns = [{ id: 'c', sponsor: 'Tea', name: 'C' }];
    const ads = [{ id, format: 'BANNER' as const, title: 'Tea' }];
    await store.importBlogs([{ id: 'bin', name: 'Bin', posts, campaigns, ads }], Date.now());
    await store.deletePost('bin', 'p', Date.now());
    await store.deleteAd('bin', id, Date.now());
    await store.deleteCampaign('bin', 'c', Date.now());
    const entries = await store.listBin('bin', Date.now());
    expect(entries.map(({ kind }) => kind).sort()).toEqual(['ad', 'campaign', 'post']);
    const ofPosts = await create('posts', '--scope', 'import');
    const ofAds = await create('ads', '--scope', 'ads');
    for (const { kind, id, deletedAt } of entries) {
      const [right, wrong] = kind === 'post' ? [ofPosts, ofAds] : [ofAds, ofPosts];
      const restore = (token: string) =>
        call(token, '/blogs/bin/restoreFromBin', [{ kind, id, deletedAt }, Date.now()]);
      const needed = kind === 'post' ? 'this needs the scope import or all' : 'this needs the scope ads or all';
      expect(await restore(wrong), kind).toMatchObject({ status: 403, text: expect.stringContaining(needed) });
      expect((await restore(right)).status, kind).toBe(200);
    }
    expect(await store.listBin('bin', Date.now())).toEqual([]);
    await store.deleteBlog('bin');
    for (const name of ['posts', 'ads']) await own('tokens', 'revoke', name);
  });

  it('the log says which message of a webhook was sent again', async () => {
    const token = await create('hooks', '--scope', 'all');
    const hook = { id: 'hook_again', url: 'http://127.0.0.1:9/', types: [], secret: newSecret() };
    await store.addHook('news', hook, Date.now());
    await store.testHook('news', hook.id);
    const [message] = await store.listHookMessages('news', 1);
    expect((await call(token, '/blogs/news/sendHookMessage', [message?.id])).status).toBe(200);
    const { entries } = await store.readLog({ offset: 0, limit: 10 });
    expect(entries.map(({ what }) => what)).toContain(`sent the webhook message ${message?.id} again`);
    await store.deleteHook('news', hook.id);
    await own('tokens', 'revoke', 'hooks');
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

  it('three processes refuse a revoked token within a second', async () => {
    await create('keeps', '--scope', 'stats');
    const token = await create('short', '--scope', 'stats');
    for (const server of servers) expect((await call(token, '', undefined, server.url)).status).toBe(200);
    await store.revokeToken('short');
    // A request that is sent after the revocation is refused, so the delay is below a second.
    for (const server of servers) expect((await call(token, '', undefined, server.url)).status).toBe(401);
  });

  it('guesses are limited for each address and never logged, and a valid token is not limited', async () => {
    const token = await create('fast', '--scope', 'stats');
    const statuses = await Promise.all(
      Array.from(
        { length: 100 },
        async (_, guess) => (await call(`guess-${guess}`, '', undefined, servers[1]?.url)).status,
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(50);
    for (let turn = 0; turn < 50; turn += 1) expect((await call(token, '')).status).toBe(200);
    for (const { said, printed } of servers) expect(said() + printed()).not.toMatch(/guess-|bst_/);
  });

  it('an import request that is sent again changes nothing', async () => {
    const token = await create('replay', '--scope', 'import', '--blog', 'news');
    const part = { id: 'news', name: 'News', posts: [{ id: 'again', title: 'Again', slug: 'again' }] };
    const add = () => call(token, '/blogs/news/addImportPart', ['part', part]);
    const run = () => call(token, '/blogs/news/importParts', [['part'], Date.now(), {}]);
    expect([(await add()).status, (await add()).status]).toEqual([200, 200]);
    expect((await run()).text).toContain('"newPosts":1');
    expect(await run()).toMatchObject({ status: 422, text: expect.stringContaining('run the import again') });
    await add();
    expect((await run()).text).toContain('"newPosts":0');
    expect((await titles()).filter((title) => title === 'Again')).toHaveLength(1);
  });

  it('a body of 1 GB is refused early, with and without its length', async () => {
    const token = await create('large', '--scope', 'import');
    const send = (headers: Readonly<Record<string, string | number>>, authorization: string) =>
      new Promise<{ status: number | undefined; sent: number }>((resolve) => {
        let sent = 0;
        const path = `${url()}/manage/blogs/news/addImportPart`;
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
        outgoing.on('error', () => {});
        write();
      });
    const declared = { 'content-length': 1024 ** 3 };
    // The sockets of both ends hold some MiB; the server reads at most 16 MiB, and only for a valid token.
    for (const [headers, authorization, status, most] of [
      [declared, `Bearer ${token}`, 413, 16],
      [{}, `Bearer ${token}`, 413, 32],
      [declared, 'Bearer wrong', 401, 16],
      [{}, 'Bearer wrong', 401, 16],
      [{}, '', 401, 16],
    ] as const) {
      const answer = await send(headers, authorization);
      expect(answer.status).toBe(status);
      expect(answer.sent).toBeLessThan(most);
    }
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

  it.each([
    [413, /answered 413: a proxy limits the size of a request/],
    [429, /answered 429; try again in a moment/],
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

  it('the client refuses URLs that cannot lead to a server', async () => {
    const refusal = async (at: string) => (await remote('token', ['blogs', 'list'], at)).stderr;
    expect(await refusal('http://blog.example')).toContain('would send the token in the clear: write https://');
    expect(await refusal(`${url()}/panel`)).toContain('from the end');
    expect(await refusal(`${url()}/wrong/path`)).toContain('There is no Broadsheet at');
  });
});
