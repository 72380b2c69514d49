import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { command } from './command.ts';
import { type InProcessServer, serveInProcess } from './in-process.ts';

/** The delay that docs/decided.md promises for a change, in milliseconds. */
const WITHIN = { timeout: 1000, interval: 20 };
const AD = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const BLOG = {
  id: 'news',
  name: 'News',
  domains: ['news.example'],
  apiKeys: ['first-key'],
  categories: [{ id: 'essays', name: 'Essays' }],
  posts: [
    { id: 'p1', title: 'Hello', slug: 'hello', publishedAt: '2026-01-31T09:00:00.000Z', categoryIds: ['essays'] },
    { id: 'p2', title: 'Draft', slug: 'draft', status: 'DRAFT' },
  ],
  ads: [{ id: AD, format: 'BANNER', title: 'Tea', priority: 3, linkUrl: 'https://tea.example/' }],
};

/** Runs a command on a database, which must succeed, and returns its output. */
const on =
  (database: TestDatabase) =>
  async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await command([...args, '--database', database.url], database);
    expect({ args, code, stderr }).toMatchObject({ args, code: 0 });
    return { stdout, stderr };
  };

describeDatabases('changes by an operator while servers run', (database) => {
  const ok = on(database);
  let servers: readonly InProcessServer[];
  beforeAll(async () => {
    await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [BLOG] }));
    await ok('import', join(database.cwd, 'blog.json'));
    servers = [await serveInProcess(database.url), await serveInProcess(database.url)];
  });
  afterAll(async () => void (await Promise.all(servers.map((server) => server.stop()))));

  /** Expects every process to give a response within a second. */
  const everywhere = async (path: string, apiKey: string, expected: unknown) => {
    for (const { url } of servers) {
      const send = async () => {
        const response = await fetch(url + path, { headers: { 'X-API-Key': apiKey } });
        const body = (await response.json()) as { filled?: boolean; title?: string };
        return path.includes('/ads/') && response.status === 200 ? (body.title ?? body.filled) : response.status;
      };
      await expect.poll(send, WITHIN).toBe(expected);
    }
  };

  it('a post can be unpublished, deleted, and restored', async () => {
    const exported = (await ok('export', 'news')).stdout;
    const listed = JSON.parse((await ok('posts', 'list', 'news', '--status', 'published', '--json')).stdout);
    expect(listed).toMatchObject({ total: 1, posts: [{ id: 'p1', status: 'PUBLISHED', slug: 'hello' }] });
    await everywhere('/public/posts/p1', 'first-key', 200);

    await ok('posts', 'unpublish', 'news', 'p1');
    await everywhere('/public/posts/p1', 'first-key', 404);
    expect((await ok('posts', 'list', 'news', '--search', 'hello')).stdout).toMatch(
      /p1 +DRAFT +2026-01-31T\S+ +hello +Hello\n/,
    );
    expect((await ok('posts', 'publish', 'news', 'p1')).stdout).toBe('Published p1, dated 2026-01-31T09:00:00.000Z.\n');
    await everywhere('/public/posts/slug/hello', 'first-key', 200);

    const { stdout } = await ok('posts', 'delete', 'news', 'p1');
    expect(stdout).toContain('Deleted the post p1 of news.');
    await everywhere('/public/posts/p1', 'first-key', 404);
    await everywhere('/public/search?q=hello', 'first-key', 200);
    await ok('posts', 'restore', 'news', 'p1');
    await everywhere('/public/posts/p1', 'first-key', 200);
    const again = JSON.parse((await ok('export', 'news')).stdout);
    const withoutTimes = (text: unknown) =>
      JSON.stringify(text, (name, value) => (name === 'updatedAt' ? null : value));
    expect(withoutTimes(again)).toBe(withoutTimes(JSON.parse(exported)));
  });

  it('a post can be scheduled for a date', async () => {
    expect((await ok('posts', 'publish', 'news', 'p2', '--at', '2999-01-31')).stdout).toBe(
      'p2 will be published at 2999-01-31T00:00:00.000Z.\n',
    );
    await ok('posts', 'unpublish', 'news', 'p2');
  });

  it('an ad can be edited, deleted, and restored with its figures', async () => {
    await everywhere('/public/ads/formats/BANNER', 'first-key', 'Tea');
    const edited = await ok('ads', 'edit', 'news', AD, '--title', 'Green tea', '--link', '');
    expect(edited.stdout).toContain('\n  title: "Tea" -> "Green tea"\n');
    expect(edited.stdout).toContain('\n  linkUrl: "https://tea.example/" -> null\n');
    await everywhere('/public/ads/formats/BANNER', 'first-key', 'Green tea');
    expect(JSON.parse((await ok('ads', 'list', 'news', '--json')).stdout)).toMatchObject([
      { id: AD, title: 'Green tea', linkUrl: null, priority: 3 },
    ]);
    await ok('ads', 'delete', 'news', AD);
    await everywhere('/public/ads/formats/BANNER', 'first-key', false);
    await ok('ads', 'restore', 'news', AD);
    await everywhere('/public/ads/formats/BANNER', 'first-key', 'Green tea');
    // Its earlier impressions and clicks are kept.
    const stats = JSON.parse((await ok('stats', 'news', '--json')).stdout);
    expect(stats.ads).toMatchObject([{ id: AD, impressions: expect.any(Number) }]);
    expect(stats.ads[0].impressions).toBeGreaterThan(2);
  });

  it('the id and the keys of a deleted blog can be used again', async () => {
    const { apiKey } = JSON.parse((await ok('keys', 'create', 'news', '--json')).stdout);
    for (const key of ['first-key', apiKey]) await everywhere('/public/posts', key, 200);
    expect((await ok('blogs', 'rename', 'news', 'The News')).stdout).toContain('from “News” to “The News”');

    const refused = await command(['blogs', 'delete', 'news', '--database', database.url], database);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/2 posts, 1 ads.*add --yes/) });
    await everywhere('/public/posts', 'first-key', 200);

    await ok('blogs', 'delete', 'news', '--yes');
    for (const key of ['first-key', apiKey]) await everywhere('/public/posts', key, 401);
    await ok('import', join(database.cwd, 'blog.json'));
    await everywhere('/public/posts', 'first-key', 200);
    expect(JSON.parse((await ok('stats', 'news', '--json')).stdout).days).toEqual([]);
  });

  it.each([
    ['a post', ['posts', 'delete', 'news', 'p9'], /There is no post "p9" in news/],
    ['a post of no blog', ['posts', 'publish', 'olds', 'p1'], /There is no blog "olds"; there is news\./],
    ['a post to unpublish', ['posts', 'unpublish', 'news', 'p9'], /There is no post "p9"/],
    ['an ad', ['ads', 'delete', 'news', 'x'], /There is no ad "x" in news/],
    ['an ad to edit', ['ads', 'edit', 'news', 'x', '--title', 'T'], /There is no ad "x"/],
    ['a change', ['ads', 'edit', 'news', AD], /Nothing to change/],
    ['a blog to delete', ['blogs', 'delete', 'olds', '--yes'], /There is no blog "olds"/],
    ['a blog to rename', ['blogs', 'rename', 'olds', 'N'], /There is no blog "olds"/],
    ['a key', ['keys', 'create', 'olds'], /There is no blog "olds"/],
    [
      'a date',
      ['posts', 'publish', 'news', 'p1', '--at', '2026-02-30'],
      /--at: expected a date .*received "2026-02-30"/,
    ],
  ])('%s that is missing or invalid ends with exit code 2', async (_, args, message) => {
    const { code, stdout, stderr } = await command([...args, '--database', database.url], database);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });
});

describe('the name of an imported blog', () => {
  describeDatabases('', (database) => {
    const ok = on(database);
    const nameOf = async (id: string) =>
      JSON.parse((await ok('blogs', 'list', '--json')).stdout).find((blog: { id: string }) => blog.id === id)?.name;

    it('a new blog is named after its folder, with a note, until --name gives it another name', async () => {
      const folder = temporaryFolder();
      await folder.write({ 'posts/tea.md': '---\ntitle: Tea\n---\nText.' });
      const made = await ok('import', folder.join('posts'));
      expect(made.stderr).toContain(
        'note: the new blog is named “posts”; "broadsheet blogs rename posts NAME" changes it',
      );
      const again = await ok('import', folder.join('posts'));
      expect([again.stderr, await nameOf('posts')]).toEqual([expect.not.stringContaining('named'), 'posts']);
      const named = await ok('import', folder.join('posts'), '--blog', 'leaf', '--name', ' Leaf & Kettle ');
      expect([named.stderr, await nameOf('leaf')]).toEqual([expect.not.stringContaining('named'), 'Leaf & Kettle']);
      await ok('import', folder.join('posts'), '--blog', 'leaf');
      expect(await nameOf('leaf')).toBe('Leaf & Kettle');
      await ok('import', folder.join('posts'), '--blog', 'leaf', '--name', 'Leaf');
      expect(await nameOf('leaf')).toBe('Leaf');
    });

    it.each([
      ['an empty name', ' ', /--name: enter a name/],
      ['a name that is too long', 'x'.repeat(201), /--name: must be at most 200 characters/],
    ])('%s is refused', async (_, name, message) => {
      const folder = temporaryFolder();
      await folder.write({ 'posts/tea.md': '---\ntitle: Tea\n---\nText.' });
      const args = ['import', folder.join('posts'), '--name', name, '--database', database.url];
      expect(await command(args, database)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
    });
  });
});

describe('import --prune', () => {
  describeDatabases('', (database) => {
    it('--prune matches a renamed file by slug, deletes posts without a file, and keeps ads and keys', async () => {
      const ok = on(database);
      const folder = temporaryFolder();
      await folder.write({
        'news/old-name.md': '---\ntitle: Kept\nslug: kept\ntags: [one]\n---\nText.',
        'news/gone.md': '---\ntitle: Gone\ntags: [two]\n---\nText.',
      });
      const made = JSON.parse((await ok('import', folder.join('news'), '--json')).stdout);
      expect(made.blogs[0]).toMatchObject({ id: 'news', posts: 2, newKey: expect.any(String) });
      await ok('ads', 'add', 'news', '--format', 'BANNER', '--title', 'Tea');
      await rename(folder.join('news/old-name.md'), folder.join('news/new-name.md'));
      await rename(folder.join('news/gone.md'), folder.join('elsewhere.md'));

      const dry = await ok('import', folder.join('news'), '--prune', '--dry-run');
      expect(dry.stdout).toMatch(/^news: 1 posts \(0 new\)/);
      const lines = ['changed posts: “Kept”', 'removed posts: “Gone”', 'removed tags: “two”'];
      expect(dry.stdout.trim().split('\n').slice(1)).toEqual(lines);
      expect(JSON.parse((await ok('posts', 'list', 'news', '--json')).stdout).total).toBe(2);

      await folder.write({ 'news/draft.md': '---\ntitle: [Draft\n---\n' });
      const unsafe = await command(
        ['import', folder.join('news'), '--prune', '--skip-bad', '--database', database.url],
        database,
      );
      expect(unsafe).toMatchObject({ code: 2, stderr: expect.stringMatching(/draft\.md:2.*--prune would delete/) });
      const skipping = await ok('import', folder.join('news'), '--skip-bad', '--dry-run', '--blog', 'other');
      expect(skipping.stderr).toMatch(/skipped: draft\.md:2:\d+: the front matter is not YAML/);
      await rm(folder.join('news/draft.md'));

      await ok('import', folder.join('news'), '--prune');
      const { posts } = JSON.parse((await ok('posts', 'list', 'news', '--json')).stdout);
      expect(posts).toMatchObject([{ slug: 'kept', title: 'Kept' }]);
      expect(JSON.parse((await ok('ads', 'list', 'news', '--json')).stdout)).toHaveLength(1);
      expect(JSON.parse((await ok('keys', 'list', 'news', '--json')).stdout)).toMatchObject([{ revokedAt: null }]);
    });
  });
});
