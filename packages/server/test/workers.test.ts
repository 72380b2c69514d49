import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../tools/testing/site.ts';
import { startDemo } from '../../demo/src/start-demo.ts';
import { type Deployment, deploy } from '../../workers/test/deployment.ts';
import { operator } from './operator.ts';

describe('the commands on a deployment', { shuffle: false }, () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await deploy();
  });
  // A test that fails must not fail the next ones, which expect an empty deployment.
  afterEach(async () => {
    for (const { id } of await json(['blogs', 'list'])) await json(['blogs', 'delete', id, '--yes']);
  });
  afterAll(() => deployment.stop());
  const { run, json, folder } = operator(() => deployment);
  const read = async (apiKey: string, path = '/public/posts') => {
    const response = await fetch(`${deployment.url}${path}`, { headers: { 'x-api-key': apiKey, connection: 'close' } });
    return { status: response.status, body: await response.json() };
  };

  it('the commands manage blogs, keys, ads and posts of a deployment', async () => {
    const { apiKey } = await json(['blogs', 'create', 'news', '--name', 'The News']);
    expect(await read(apiKey)).toMatchObject({ status: 200, body: { data: [] } });
    expect(await json(['blogs', 'list'])).toEqual([{ id: 'news', name: 'The News', domains: [], posts: 0, ads: 0 }]);

    const second = await json(['keys', 'create', 'news']);
    expect((await read(second.apiKey)).status).toBe(200);
    // The isolate caches the key, but the object of the blog decides.
    await json(['keys', 'revoke', 'news', second.id]);
    expect((await read(second.apiKey)).status).toBe(401);
    const third = await json(['keys', 'rotate', 'news']);
    expect((await read(apiKey)).status).toBe(401);
    expect((await read(third.apiKey)).status).toBe(200);
    expect(await json(['keys', 'list', 'news'])).toHaveLength(3);

    const ad = await json(['ads', 'add', 'news', '--format', 'BANNER', '--title', 'Tea']);
    await json(['ads', 'pause', 'news', ad.id]);
    expect(await read(third.apiKey, '/public/ads/formats/BANNER')).toMatchObject({ body: { filled: false } });
    await json(['ads', 'resume', 'news', ad.id]);
    const campaign = await json(['campaigns', 'add', 'news', '--sponsor', 'Tea', '--name', 'Spring']);
    expect(await json(['campaigns', 'report', 'news', campaign.id])).toMatchObject({ campaign, ads: [] });
    const shared = await run(['campaigns', 'report', 'news', campaign.id, '--link', '--database', deployment.url]);
    expect(shared).toMatchObject({ code: 2, stderr: expect.stringContaining('has no report pages') });
    await json(['campaigns', 'delete', 'news', campaign.id]);
    await json(['campaigns', 'restore', 'news', campaign.id]);
    expect(await json(['bin', 'list', 'news'])).toMatchObject({ items: [], total: 0 });
    expect(await read(third.apiKey, '/public/ads/formats/BANNER')).toMatchObject({ body: { id: ad.id } });

    await writeFile(join(folder.path, '2026-01-01-hello.md'), '---\ntitle: Hello\n---\nText.');
    expect(await json(['import', folder.path, '--blog', 'news'])).toMatchObject({
      blogs: [{ id: 'news', newPosts: 1 }],
    });
    const { posts } = await json(['posts', 'list', 'news']);
    expect(posts).toMatchObject([{ title: 'Hello', status: 'PUBLISHED' }]);
    expect(await read(third.apiKey)).toMatchObject({ body: { data: [{ title: 'Hello' }] } });
    await json(['posts', 'unpublish', 'news', posts[0].id]);
    expect(await read(third.apiKey)).toMatchObject({ body: { data: [] } });
    const preview = await json(['posts', 'preview', 'news', posts[0].id, '--url', 'https://site.example/']);
    const authorization = `Bearer ${new URL(preview.url).searchParams.get('token')}`;
    const response = await fetch(`${deployment.url}/preview/post`, { headers: { authorization, connection: 'close' } });
    expect(await response.json()).toMatchObject({ data: { title: 'Hello', status: 'DRAFT' } });

    await json(['blogs', 'delete', 'news', '--yes']);
    expect((await read(third.apiKey)).status).toBe(401);
    expect(await json(['blogs', 'list'])).toEqual([]);
  });

  it('a token permits what its scope and its blog allow, until it expires or is revoked', async () => {
    for (const blog of ['mine', 'yours']) await json(['blogs', 'create', blog]);
    const create = (name: string, ...flags: string[]): Promise<{ token: string }> =>
      json(['tokens', 'create', name, ...flags]);
    const { token: ci } = await create('ci', '--scope', 'import', '--blog', 'mine', '--expires', '1h');
    const { token: figures } = await create('figures', '--scope', 'stats');
    const as = (token: string, ...args: string[]) =>
      run([...args, '--database', deployment.url], { BROADSHEET_ADMIN_TOKEN: token });
    await writeFile(join(folder.path, 'mine.json'), '{"blogs":[{"id":"mine","name":"mine"}]}');
    expect(await as(ci, 'import', 'mine.json')).toMatchObject({ code: 0, stderr: '' });
    expect((await as(ci, 'blogs', 'list', '--json')).stdout).not.toContain('yours');
    expect(await as(figures, 'stats', 'yours')).toMatchObject({ code: 0 });
    const refused = (message: string) => ({ code: 2, stderr: expect.stringContaining(message) });
    expect(await as(ci, 'stats', 'mine')).toMatchObject(refused('has the scope import: this requires the scope ads'));
    expect(await as(ci, 'posts', 'list', 'yours')).toMatchObject(refused('is for the blog mine'));
    expect(await as(figures, 'posts', 'list', 'mine')).toMatchObject(refused('has the scope stats'));
    const { token: all } = await create('all', '--scope', 'all');
    for (const args of [
      ['tokens', 'list'],
      ['copy', deployment.url, 'sqlite:out.db'],
    ]) {
      expect(
        await run(args[0] === 'copy' ? args : [...args, '--database', deployment.url], { BROADSHEET_ADMIN_TOKEN: all }),
      ).toMatchObject(refused('Only the secret ADMIN_TOKEN'));
    }
    expect(await run(['tokens', 'create', 'ci', '--scope', 'all', '--database', deployment.url])).toMatchObject(
      refused('already exists'),
    );
    expect(
      await run(['tokens', 'create', 'x', '--scope', 'all', '--blog', 'none', '--database', deployment.url]),
    ).toMatchObject(refused('There is no blog "none"'));
    const listed = await json(['tokens', 'list']);
    expect(listed).toMatchObject([{ name: 'all' }, { name: 'ci', blogId: 'mine', usedAt: expect.any(String) }, {}]);
    expect(JSON.stringify(listed)).not.toContain(ci);

    await json(['tokens', 'revoke', 'figures']);
    expect(await as(figures, 'stats', 'yours')).toMatchObject(refused('refuses the token'));
    // A later blog with the same id must not be open to the token.
    await json(['blogs', 'delete', 'mine', '--yes']);
    await json(['blogs', 'create', 'mine']);
    expect(await as(ci, 'posts', 'list', 'mine')).toMatchObject(refused('refuses the token'));
    expect((await json(['tokens', 'list'])).map(({ name }: { name: string }) => name)).toEqual(['all']);
  });

  it('a step of a copy with malformed rows is refused with the field', async () => {
    const head = { blog_id: 'steps', name: 'Steps', domains: '[]', revision: 'r' };
    const write = (table: string, ...rows: unknown[]) => deployment.manage('steps', 'copy.write', { table, rows });
    await expect(write('images', { ...head, bytes: 'a*b=' })).rejects.toThrow('400: rows.0.bytes: expected base64');
    await expect(write('images', head, { ...head, bytes: 7 })).rejects.toThrow('400: rows.1.bytes: expected base64');
    await expect(write('nothing', head)).rejects.toThrow('400: table: expected');
    await expect(write('blogs', { name: 'Steps' })).rejects.toThrow('400: This step of the copy failed');
    await expect(write('posts', { title: 'P' })).rejects.toThrow('400: This step of the copy failed');
    await expect(deployment.manage('steps', 'copy.read', { table: 'blogs', from: 0 })).rejects.toThrow(
      '400: This step of the copy failed',
    );
    await expect(deployment.manage('steps', 'copy.read', { table: 'blogs', from: -1 })).rejects.toThrow('400: from');
    await expect(deployment.manage('', 'keys.list')).rejects.toThrow('404: There is nothing');
  });

  it('a key can be given to another blog only after its blog is deleted', async () => {
    const blogs = (...ids: string[]) =>
      writeFile(
        join(folder.path, 'b.json'),
        JSON.stringify({ blogs: ids.map((id) => ({ id, name: id, apiKeys: ['one key'] })) }),
      );
    await blogs('first');
    await json(['import', 'b.json']);
    expect((await read('one key')).status).toBe(200);
    await blogs('second');
    const refused = await run(['import', 'b.json', '--database', deployment.url]);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one of its API keys is in use elsewhere'),
    });
    await json(['blogs', 'delete', 'first', '--yes']);
    await json(['import', 'b.json']);
    expect((await read('one key')).status).toBe(200);
    expect(await json(['blogs', 'list'])).toMatchObject([{ id: 'second' }]);
  });

  it('a blog that is larger than one request is imported completely or not at all', async () => {
    const content = 'A paragraph of fifty thousand characters. '.repeat(1200);
    const post = (index: number) => ({
      id: `p${index}`,
      title: `Post ${index}`,
      subtitle: '',
      slug: `post-${index}`,
      content,
      status: 'PUBLISHED',
      publishedAt: '2026-01-01T00:00:00Z',
      authorId: 'ada',
    });
    const blog = {
      id: 'large',
      name: 'Large',
      apiKeys: ['large key'],
      posts: Array.from({ length: 120 }, (_, index) => post(index)),
    };
    await writeFile(join(folder.path, 'large.json'), JSON.stringify({ blogs: [blog] }));
    expect(await json(['import', 'large.json'])).toMatchObject({ blogs: [{ id: 'large', posts: 120, newPosts: 120 }] });
    const list = await read('large key', '/public/posts?limit=100');
    expect(list.body.data, JSON.stringify(list).slice(0, 500)).toHaveLength(100);
    expect((await read('large key', '/public/search?q=post')).body.data.meta.count).toBe(10);
    const exported = JSON.parse((await run(['export', 'large', '--database', deployment.url])).stdout);
    expect(exported.blogs[0].posts).toHaveLength(120);

    const clash = { ...blog, posts: [...blog.posts, { ...post(1), id: 'other' }] };
    await writeFile(
      join(folder.path, 'clash.json'),
      JSON.stringify({ blogs: [{ ...clash, posts: clash.posts.slice(60) }] }),
    );
    const refused = await run(['import', 'clash.json', '--database', deployment.url]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('the slug "post-1" belongs to') });

    const back = `sqlite:${join(folder.path, 'large.db')}`;
    expect(await run(['copy', deployment.url, back])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('posts: 120'),
    });
    const again = await run(['copy', back, deployment.url]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty: it has the blog large') });
  });

  it('copy writes everything or nothing', async () => {
    const post = { id: 'p', title: 'Huge', slug: 'huge', publishedAt: '2026-01-01T00:00:00Z' };
    const blogs = [
      { id: 'small', name: 'Small', apiKeys: ['small key'] },
      { id: 'vast', name: 'Vast', apiKeys: ['vast key'], posts: [{ ...post, content: 'x'.repeat(2_500_000) }] },
    ];
    await writeFile(join(folder.path, 'vast.json'), JSON.stringify({ blogs }));
    const shorter = blogs.map(({ apiKeys: _, posts = [], ...blog }) => ({
      ...blog,
      posts: posts.map(({ content }) => ({ ...post, content: content.slice(0, 1_500_000) })),
    }));
    await writeFile(join(folder.path, 'shorter.json'), JSON.stringify({ blogs: shorter }));
    const from = `sqlite:${join(folder.path, 'vast.db')}`;
    expect(await run(['import', 'vast.json', '--database', from])).toMatchObject({ code: 0 });
    const empty = await deploy();
    const env = { BROADSHEET_ADMIN_TOKEN: empty.token };
    const statusOf = async (apiKey: string) =>
      (await fetch(`${empty.url}/public/posts`, { headers: { 'x-api-key': apiKey, connection: 'close' } })).status;
    try {
      for (let turn = 0; turn < 2; turn += 1) {
        const stderr = expect.stringMatching(/posts: p of blog vast is larger than the 2 MB/);
        expect(await run(['copy', from, empty.url], env)).toMatchObject({ code: 2, stderr });
        expect((await run(['blogs', 'list', '--json', '--database', empty.url], env)).stdout).toBe('[]\n');
        expect(await statusOf('small key')).toBe(401);
      }
      await run(['import', 'shorter.json', '--database', from]);
      expect(await run(['copy', from, empty.url], env)).toMatchObject({ code: 0 });
      expect(await statusOf('small key')).toBe(200);
    } finally {
      await empty.stop();
    }
    const stderr = expect.stringMatching(/blog vast: the post p is larger than the 2 MB/);
    expect(await run(['import', 'vast.json', '--database', deployment.url])).toMatchObject({ code: 2, stderr });
  });

  it('a blog can be created where a copy was interrupted', async () => {
    const head = { blog_id: 'cut', name: 'Cut', domains: '[]', revision: 'r' };
    await deployment.manage('cut', 'copy.clear');
    await deployment.manage('cut', 'copy.write', { table: 'blogs', rows: [head] });
    expect((await json(['blogs', 'list'])).map(({ id }: { id: string }) => id)).not.toContain('cut');
    const { apiKey } = await json(['blogs', 'create', 'cut', '--name', 'Whole']);
    expect((await read(apiKey)).status).toBe(200);
    expect(await json(['blogs', 'list'])).toContainEqual({ id: 'cut', name: 'Whole', domains: [], posts: 0, ads: 0 });
  });

  it.each([
    [
      'a wrong token',
      () => deployment.url,
      { BROADSHEET_ADMIN_TOKEN: randomUUID() },
      /refuses the token: set BROADSHEET_ADMIN_TOKEN/,
    ],
    ['no token', () => deployment.url, { BROADSHEET_ADMIN_TOKEN: '' }, /requires a token: set BROADSHEET_ADMIN_TOKEN/],
    [
      'an address where nothing listens',
      () => 'http://127.0.0.1:3',
      {},
      /check the URL of the server; on this machine/,
    ],
    ['a token in the clear', () => 'http://blog.example', {}, /would send the token in the clear: write https:\/\//],
    ['a token in the address', () => 'https://a:b@blog.example', {}, /and set BROADSHEET_ADMIN_TOKEN/],
  ])('the commands refuse %s', async (_, url, env, message) => {
    const refused = await run(['blogs', 'list', '--database', url()], env);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('the commands refuse a URL that is not a deployment', async () => {
    await using other = await openSite((_, response) => response.writeHead(404).end('<h1>Nothing</h1>'));
    await using moved = await openSite((_, response) =>
      response.writeHead(308, { location: 'https://new.example/' }).end(),
    );
    const demo = await startDemo({ port: 0, host: '127.0.0.1' });
    const refusal = async (url: string) => (await run(['stats', 'news', '--database', url])).stderr;
    try {
      expect(await refusal(other.url)).toMatch(/There is no Broadsheet at http/);
      expect(await refusal(moved.url)).toMatch(/redirects to https:\/\/new\.example\//);
      expect(await refusal(demo.url)).toMatch(
        /Management is disabled at \S+: on its machine, run "broadsheet tokens create/,
      );
      expect((await run(['serve', '--port', '0', '--database', deployment.url])).stderr).toMatch(
        /is a remote server, not a database/,
      );
      expect((await run(['panel', 'invite', 'Ada', '--database', deployment.url])).stderr).toMatch(
        /does not support this command/,
      );
    } finally {
      await demo.close();
    }
  });
});
