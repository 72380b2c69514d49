import { expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import type { ImportOptions } from '../blogs/blog-import.ts';
import { ContentClash } from '../blogs/clashes.ts';
import { openStore } from '../open-store.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');

interface File {
  readonly slug?: string;
  readonly status?: 'PUBLISHED' | 'DRAFT';
  readonly [field: string]: unknown;
}

/** A post of a Markdown file. Without a slug of its own, it has the name of the file. */
function post(path: string, { slug, ...fields }: File = {}) {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const otherSlugs = folders.map((_, index) => [...folders.slice(-1 - index), slug ?? name].join('-'));
  const file = { path: `${path}.md`, hasSlug: slug !== undefined, otherSlugs };
  return { id: path, title: path, slug: slug ?? name, file, ...fields };
}

const blogOf = (id: string, posts: readonly ReturnType<typeof post>[]) => [{ id, name: 'B', posts: [...posts] }];
let blogs = 0;

describeDatabases('the plan of an import', (database) => {
  async function open(...posts: ReturnType<typeof post>[]) {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    blogs += 1;
    const id = `plan-${blogs}`;
    const run = (source: readonly ReturnType<typeof post>[], options: ImportOptions = {}) =>
      store.importBlogs(blogOf(id, source), NOW, options);
    await run(posts);
    const slugs = async () =>
      Object.fromEntries(((await store.exportBlog(id))?.posts ?? []).map((one) => [one.id, one.slug]));
    return { store, slugs, run, id };
  }

  test.each([
    ['a draft with the same name', post('_drafts/hello', { status: 'DRAFT' }), '_drafts-hello'],
    ['a draft that names the slug', post('d', { slug: 'hello', status: 'DRAFT' }), 'hello-2'],
    ['a published post that comes first by path', post('2024/hello'), '2024-hello'],
    ['a published post that names the slug', post('a/b', { slug: 'hello' }), 'a-hello'],
  ])('a published post keeps its URL when there is also %s', async (_, other, slug) => {
    const { run, slugs } = await open(post('2025/hello'));
    const [imported] = await run([post('2025/hello'), other]);
    expect(await slugs()).toEqual({ '2025/hello': 'hello', [other.id]: slug });
    expect(imported?.notes).toEqual([
      `${other.file.path}: the slug "hello" is taken by 2025/hello.md; this post is "${slug}"`,
    ]);
  });

  test('a post keeps the slug that it got because of another, even if that one is gone', async () => {
    const { run, slugs } = await open(post('2024/hello'), post('2025/hello'));
    expect(await slugs()).toEqual({ '2024/hello': 'hello', '2025/hello': '2025-hello' });
    await run([post('2025/hello')], { prune: true });
    expect(await slugs()).toEqual({ '2025/hello': '2025-hello' });
  });

  test('of new posts, a published one gets the slug before a draft, then the one that names it', async () => {
    const posts = [post('a/x', { slug: 'x', status: 'DRAFT' }), post('b/x'), post('c', { slug: 'x' })];
    const { slugs } = await open(...posts);
    expect(await slugs()).toEqual({ 'a/x': 'a-x', 'b/x': 'b-x', c: 'x' });
  });

  test('a slug that is free in the source may belong to a post that stays', async () => {
    const { run, slugs } = await open(post('old', { slug: 'new-x' }), post('x'));
    await run([post('x'), post('new/x')]);
    expect(await slugs()).toEqual({ old: 'new-x', x: 'x', 'new/x': 'x-2' });
  });

  test.each([
    [
      'swap their slugs',
      [post('a', { slug: 'b' }), post('b', { slug: 'a' })],
      [
        [
          'a.md',
          'is published as "a" and would move to "b", which is the slug of b.md now, and b.md would get "a"; give it the slug "a" to keep its URL',
        ],
        [
          'b.md',
          'is published as "b" and would move to "a", which is the slug of a.md now, and a.md would get "b"; give it the slug "b" to keep its URL',
        ],
      ],
    ],
    [
      'leave their slugs to others',
      [post('a', { slug: 'other' }), post('b'), post('c/a')],
      [
        [
          'a.md',
          'is published as "a" and would move to "other", and c/a.md would get "a"; give it the slug "a" to keep its URL',
        ],
      ],
    ],
    [
      'get new slugs',
      [post('a', { slug: 'new' }), post('b')],
      [['a.md', 'is published as "a" and would move to "new"; give it the slug "a" to keep its URL']],
    ],
  ])('an import is refused when published posts would %s, and allowed with a flag', async (_, posts, problems) => {
    const { store, run, slugs, id } = await open(post('a'), post('b'));
    const before = await store.exportBlog(id);
    const refused = await run(posts).catch((error: unknown) => error);
    expect(refused instanceof ContentClash && refused.clashes).toMatchObject(
      problems.map(([file, message]) => ({ code: 'URL_MOVED', blogId: id, post: { file }, message })),
    );
    expect(await store.exportBlog(id)).toEqual(before);
    await run(posts, { allowMovedUrls: true });
    expect(await slugs()).toMatchObject(Object.fromEntries(posts.map((one) => [one.id, one.slug])));
  });

  test('a draft may move, and a post that becomes a draft', async () => {
    const { run, slugs } = await open(post('a', { status: 'DRAFT' }), post('b'));
    await run([post('a', { slug: 'x' }), post('b', { slug: 'y', status: 'DRAFT' })]);
    expect(await slugs()).toEqual({ a: 'x', b: 'y' });
  });

  test('local times are in the time zone of the blog, and decide what is public', async () => {
    const { store, run, id } = await open();
    await store.setTimeZone(id, 'America/New_York');
    const at = (time: string) => ({ publishedAt: time });
    const [imported] = await run([
      post('day', at('2026-03-01T00:00:00.000')),
      post('summer', at('2026-04-01T00:00:00.000')),
      post('skipped', at('2026-03-08T02:30:00.000')),
      post('zoned', at('2026-03-01T00:00:00.000Z')),
      // It is eight o'clock in New York.
      post('over', at('2026-06-01T07:59:00.000')),
      post('ahead', at('2026-06-01T08:01:00.000')),
      post('released', { ...at('2026-01-01T00:00:00.000'), releaseAt: '2026-06-01T08:00:00.000' }),
      post('embargoed', { ...at('2026-01-01T00:00:00.000'), releaseAt: '2026-06-01T08:01:00.000' }),
      post('expired', { ...at('2026-01-01T00:00:00.000'), expiresAt: '2026-06-01T08:00:00.000' }),
      post('expiring', { ...at('2026-01-01T00:00:00.000Z'), expiresAt: '2026-06-01T08:01:00.000' }),
    ]);
    const posts = (await store.exportBlog(id))?.posts ?? [];
    const stored = Object.fromEntries(posts.map((one) => [one.id, [one.status, one.publishedAt ?? one.scheduledAt]]));
    expect(stored).toEqual({
      day: ['PUBLISHED', '2026-03-01T05:00:00.000Z'],
      summer: ['PUBLISHED', '2026-04-01T04:00:00.000Z'],
      skipped: ['PUBLISHED', '2026-03-08T07:30:00.000Z'],
      zoned: ['PUBLISHED', '2026-03-01T00:00:00.000Z'],
      over: ['PUBLISHED', '2026-06-01T11:59:00.000Z'],
      ahead: ['SCHEDULED', '2026-06-01T12:01:00.000Z'],
      released: ['PUBLISHED', '2026-01-01T05:00:00.000Z'],
      embargoed: ['SCHEDULED', '2026-06-01T12:01:00.000Z'],
      expired: ['DRAFT', null],
      expiring: ['PUBLISHED', '2026-01-01T00:00:00.000Z'],
    });
    expect(imported?.notes).toEqual([
      'ahead.md is dated in the future and was scheduled for its date',
      'expiring.md has a date on which it expires, but stays public after that; unpublish it then',
    ]);
    expect(imported?.totals).toEqual({ published: 7, drafts: 1, scheduled: 2, undated: 0, withoutAuthor: 10 });
  });
});
