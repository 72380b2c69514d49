import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { readContent } from '../index.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder().path;
});

async function read(data: object, blog?: string, name?: string) {
  const path = join(folder, 'my-site.ghost.json');
  await writeFile(path, JSON.stringify({ db: [{ meta: { version: '6.0.0' }, data }] }));
  return readContent(path, { blog, name });
}

const post = (id: string, more: object = {}) => ({
  id,
  title: `Title ${id}`,
  slug: `slug-${id}`,
  html: `<p>${id}</p>`,
  plaintext: 'First one. Second one.',
  type: 'post',
  status: 'published',
  visibility: 'public',
  published_at: '2026-01-31 09:00:00',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
  ...more,
});

test('posts keep status, order of tags, authors and cover', async () => {
  const content = await read({
    posts: [
      post('1', { custom_excerpt: 'Excerpt', feature_image: '__GHOST_URL__/content/images/a.png' }),
      post('2', { status: 'draft', published_at: null }),
      post('3', { status: 'scheduled', published_at: '2031-01-01 00:00:00' }),
      post('4', { visibility: 'paid' }),
      post('5', { type: 'page', title: 'About' }),
      post('6', { status: 'sent' }),
    ],
    tags: [
      { id: 't1', name: 'News', description: 'All of it', visibility: 'public' },
      { id: 't2', name: 'Tips', visibility: 'public' },
      { id: 't3', name: '#hidden', visibility: 'internal' },
    ],
    posts_tags: [
      { post_id: '1', tag_id: 't1', sort_order: 2 },
      { post_id: '1', tag_id: 't3', sort_order: 0 },
      { post_id: '1', tag_id: 't2', sort_order: 1 },
    ],
    users: [{ id: 'u1', name: 'Ada', slug: 'ada' }],
    posts_authors: [{ post_id: '1', author_id: 'u1', sort_order: 0 }],
    settings: [{ key: 'title', value: 'My Site' }],
  });
  expect(content).toMatchObject({
    ok: true,
    snapshot: {
      blogs: [
        {
          id: 'my-site',
          name: 'My Site',
          categories: [{ id: 't2', name: 'Tips', description: '' }],
          tags: [{ id: 't1' }, { id: 't2' }],
          posts: [
            {
              id: '1',
              subtitle: 'Excerpt',
              content: '<p>1</p>',
              coverUrl: '/content/images/a.png',
              authorId: 'ada',
              categoryIds: ['t2'],
              tagIds: ['t2', 't1'],
              status: 'PUBLISHED',
              publishedAt: '2026-01-31T09:00:00.000Z',
              createdAt: '2026-01-01T00:00:00.000Z',
            },
            { id: '2', status: 'DRAFT', publishedAt: null, subtitle: 'First one.' },
            { id: '3', status: 'SCHEDULED', publishedAt: null, scheduledAt: '2031-01-01T00:00:00.000Z' },
            { id: '4', status: 'DRAFT' },
          ],
        },
      ],
    },
    notes: [
      'left out: 1 page: slug-5',
      'left out: 1 post sent by email only: slug-6',
      'left out: 1 internal tag',
      'imported as draft: 1 post for members',
      'links rewritten to start with /: 1 post that links to files of the Ghost site',
    ],
  });
});

test('posts for e-mail only are drafts, every author is kept, and the blog gets the time zone of the site', async () => {
  const content = await read({
    posts: [
      post('1', { status: 'scheduled', published_at: '2099-01-01 00:00:00' }),
      post('2'),
      post('3', { status: 'scheduled', published_at: '2099-01-01 00:00:00' }),
    ],
    posts_meta: [
      { id: 'm1', post_id: '1', email_only: 1 },
      { id: 'm2', post_id: '2', email_only: true },
      { id: 'm3', post_id: '3', email_only: 0, meta_title: 'Title' },
    ],
    users: [
      { id: 'u1', name: 'Ada', slug: 'ada' },
      { id: 'u2', name: 'Bo', slug: 'bo' },
    ],
    posts_authors: [
      { post_id: '2', author_id: 'u2', sort_order: 1 },
      { post_id: '2', author_id: 'u1', sort_order: 0 },
    ],
    settings: [{ key: 'timezone', value: 'America/New_York' }],
  });
  if (!content.ok) throw new Error(JSON.stringify(content.problems));
  const [blog] = content.snapshot.blogs;
  expect(blog?.timeZone).toBe('America/New_York');
  expect(blog?.posts?.map(({ status, authorId }) => [status, authorId])).toEqual([
    ['DRAFT', ''],
    ['DRAFT', 'ada, bo'],
    ['SCHEDULED', ''],
  ]);
  expect(content.notes).toContain('imported as draft: 2 posts for e-mail only');
});

test('a time zone that does not exist is ignored', async () => {
  const content = await read({ posts: [post('1')], settings: [{ key: 'timezone', value: 'Mars/Base' }] });
  expect(content.ok && content.snapshot.blogs[0]?.timeZone).toBeUndefined();
});

test('a note gives the number of pages and the slugs of the first few', async () => {
  const posts = Array.from({ length: 22 }, (_, index) => post(`${index}`, { type: 'page' }));
  const slugs = posts.slice(0, 20).map(({ slug }) => slug);
  expect(await read({ posts })).toMatchObject({ notes: [`left out: 22 pages: ${slugs.join(', ')} and 2 others`] });
});

test('the blog id comes from the options, or else from the file name', async () => {
  expect(await read({ posts: [] }, 'other')).toMatchObject({ snapshot: { blogs: [{ id: 'other', name: 'other' }] } });
  expect(await read({ posts: [] })).toMatchObject({ snapshot: { blogs: [{ id: 'my-site-ghost' }] } });
});

test('the name of the blog comes from the options, or else from the settings', async () => {
  const settings = [{ key: 'title', value: 'My Site' }];
  expect(await read({ posts: [], settings })).toMatchObject({
    snapshot: { blogs: [{ name: 'My Site' }] },
    unnamed: false,
  });
  const named = { snapshot: { blogs: [{ id: 'my-site', name: 'Leaf' }] }, unnamed: false };
  expect(await read({ posts: [], settings }, undefined, 'Leaf')).toMatchObject(named);
  expect(await read({ posts: [] }, 'other', 'Leaf')).toMatchObject({ unnamed: false });
});

test('all problems of an export are reported together, with their paths', async () => {
  const content = await read({
    posts: [
      post('0', { type: 'page' }),
      post('1'),
      post('1', { slug: 'slug-1', published_at: 'soon' }),
      post('3', { html: '\0' }),
    ],
  });
  expect(content.ok ? [] : content.problems.map(({ at }) => at)).toEqual([
    'db.0.data.posts.2.id',
    'db.0.data.posts.2.slug',
    'db.0.data.posts.2.published_at',
    'db.0.data.posts.3.html',
  ]);
  const broken = await read({ posts: [{ id: 1, title: 'T' }] });
  expect(broken.ok ? [] : broken.problems).toContainEqual({
    at: 'db.0.data.posts.0.id',
    message: 'expected a string, received 1',
  });
  const empty = await read({});
  expect(empty).toMatchObject({ ok: false, problems: [{ at: 'my-site.ghost.json' }] });
});

test('a title or the name of a tag that no store accepts is reported', async () => {
  const content = await read({
    posts: [post('1', { title: 'x'.repeat(1001) })],
    tags: [{ id: 't', name: 'x'.repeat(201), slug: 't' }],
    posts_tags: [{ post_id: '1', tag_id: 't', sort_order: 0 }],
  });
  expect(content.ok ? [] : content.problems.map(({ at, message }) => `${at} ${message}`)).toEqual([
    'blogs.0.categories.0.name must be at most 200 characters long',
    'blogs.0.tags.0.name must be at most 200 characters long',
    'blogs.0.posts.0.title must be at most 1000 characters long',
  ]);
});
