import { Post } from '@broadsheet/contract/schemas';
import { equal, present } from '../../src/expect.ts';
import { conforms } from '../../src/shapes.ts';
import { ALL, ids, NOW_TEXT, post, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

/** Posts: their fields, their order and slices of their list. */
export const postCases: readonly StoreCase[] = [
  storeCase('an empty blog has no posts', async (store) => {
    await put(store, {});
    equal(await store.listPosts('b', ALL), [], 'posts');
    equal(await store.getPost('b', 'p'), undefined, 'post');
    equal(await store.getPostBySlug('b', 'p'), undefined, 'post by slug');
  }),
  storeCase('a blog that does not exist has no content', async (store) => {
    equal(await store.listPosts('nowhere', ALL), [], 'posts');
    equal(await store.getPost('nowhere', 'p'), undefined, 'post');
    equal(await store.searchPosts('nowhere', ['abc'], ALL), [], 'found');
    equal(await store.listCategories('nowhere'), [], 'categories');
    equal(await store.listTagPosts('nowhere', 't', ALL), undefined, 'tag posts');
    equal(await store.listAds('nowhere'), [], 'ads');
    equal(await store.figures('nowhere', { by: [] }), [], 'counts');
  }),
  storeCase('a post of any status can be previewed, with the fields of the API', async (store) => {
    await put(store, {
      categories: [{ id: 'c', name: 'Cat', description: 'About' }],
      tags: [{ id: 't', name: 'Tag' }],
      posts: [
        post('draft', { status: 'DRAFT', categoryIds: ['c'], tagIds: ['t'] }),
        post('later', { status: 'SCHEDULED', scheduledAt: '2099-01-01T00:00:00.000Z' }),
        post('public', {}),
      ],
    });
    const preview = async (id: string) => present(await store.previewPost('b', id), id);
    for (const id of ['draft', 'later', 'public']) conforms(Post, await preview(id), id);
    const { status, categories, tags } = await preview('draft');
    equal([status, ids(categories), ids(tags)], ['DRAFT', ['c'], ['t']], 'the draft');
    equal(await preview('public'), await store.getPost('b', 'public'), 'the published post');
    equal(await store.previewPost('b', 'none'), undefined, 'a post that does not exist');
    equal(await store.previewPost('other', 'draft'), undefined, 'a post of another blog');
  }),
  storeCase('a post has exactly the fields of the API', async (store) => {
    const content = `<p>"It's" \\ % _ 😀 é ${'x'.repeat(100_000)}</p>\n`;
    await put(store, {
      categories: [{ id: 'c', name: 'Cat', description: 'About' }],
      tags: [{ id: 't', name: 'Tag' }],
      posts: [
        post('p', {
          title: 'Title',
          subtitle: 'Sub',
          content,
          authorId: 'ann',
          coverUrl: 'https://example.org/c.png',
          createdAt: '2025-01-01T00:00:00.000Z',
          categoryIds: ['c'],
          tagIds: ['t'],
        }),
      ],
    });
    const found = present(await store.getPost('b', 'p'), 'the post');
    conforms(Post, found, 'post');
    const expected = {
      ...found,
      id: 'p',
      title: 'Title',
      subtitle: 'Sub',
      content,
      slug: 'slug-p',
      status: 'PUBLISHED',
      publishedAt: '2026-01-01T00:00:00.000Z',
      scheduledAt: null,
      blogId: 'b',
      authorId: 'ann',
      createdAt: '2025-01-01T00:00:00.000Z',
      updatedAt: NOW_TEXT,
      categories: [{ id: 'c', name: 'Cat', description: 'About', blogId: 'b' }],
      tags: [{ id: 't', name: 'Tag', blogId: 'b' }],
    };
    equal(found, expected, 'getPost');
    equal(await store.getPostBySlug('b', 'slug-p'), expected, 'getPostBySlug');
    equal(await store.listPosts('b', ALL), [expected], 'listPosts');
    equal(await store.listCategoryPosts('b', 'c', ALL), { items: [expected], total: 1 }, 'listCategoryPosts');
    equal(await store.listTagPosts('b', 't', ALL), { items: [expected], total: 1 }, 'listTagPosts');
  }),
  storeCase('a post carries its categories and tags in the order of their names', async (store) => {
    const named = [
      { id: '1', name: 'zebra' },
      { id: '2', name: 'Apple' },
      { id: '3', name: 'éclair' },
    ];
    await put(store, {
      categories: named,
      tags: named,
      posts: [post('p', { categoryIds: ['1', '3', '2'], tagIds: ['1', '3', '2'] })],
    });
    const found = present(await store.getPost('b', 'p'), 'the post');
    equal(ids(found.categories), ['2', '3', '1'], 'categories');
    equal(ids(found.tags), ['2', '3', '1'], 'tags');
    equal(present((await store.listPosts('b', ALL))[0], 'the listed post'), found, 'listed');
  }),
  storeCase('posts are ordered by publication, newest first, nulls last, ties by id descending', async (store) => {
    await put(store, {
      posts: [
        post('none-1', { publishedAt: null }),
        post('old', { publishedAt: '2024-01-01T00:00:00.000Z' }),
        post('tie-a'),
        post('none-2', { publishedAt: null }),
        post('tie-c'),
        post('new', { publishedAt: '2026-02-01T00:00:00.000Z' }),
        post('tie-b'),
      ],
    });
    const order = ['new', 'tie-c', 'tie-b', 'tie-a', 'old', 'none-2', 'none-1'];
    equal(ids(await store.listPosts('b', ALL)), order, 'order');
  }),
  storeCase('posts with equal dates are ordered by the code units of their ids, not by locale', async (store) => {
    // By code point, the full-width letter and the private-use characters sort before surrogate pairs.
    const tied = [
      'Z',
      'a',
      'A',
      'é',
      'z',
      '10',
      '9',
      '_',
      '-',
      'Ω',
      '字',
      'Ａ',
      '\ue000',
      '😀',
      '\u{10ffff}',
      '\u{10ffff}a',
    ];
    await put(store, { posts: tied.map((id) => post(id)) });
    const order = [...tied].sort((one, two) => (one < two ? 1 : -1));
    equal(ids(await store.listPosts('b', ALL)), order, 'order');
  }),
  storeCase('timestamps are ordered by time, regardless of their offset, and returned in UTC', async (store) => {
    await put(store, {
      posts: [
        post('second', { publishedAt: '2026-01-01T00:00:00.500Z' }),
        post('fourth', { publishedAt: '2026-01-01T01:00:00+02:00' }),
        post('first', { publishedAt: '2025-12-31T20:00:00-05:00' }),
        post('third', { publishedAt: '2026-01-01T00:00:00Z' }),
      ],
    });
    const posts = await store.listPosts('b', ALL);
    equal(ids(posts), ['first', 'second', 'third', 'fourth'], 'order');
    const expected = ['2026-01-01T01:00:00.000Z', '2026-01-01T00:00:00.500Z', '2026-01-01T00:00:00.000Z'];
    for (const [index, text] of expected.entries()) {
      const published = present(posts[index]?.publishedAt, 'publishedAt');
      equal(Date.parse(published), Date.parse(text), 'timestamp');
      equal(published.endsWith('Z'), true, `${published} is in UTC`);
    }
  }),
  storeCase(
    'overlapping slices return the same posts, regardless of the order of the reads, even after a write',
    async (store) => {
      const texts = ['', 'é', '😀字', ',"},{"', '\\"', 'x'.repeat(3000)];
      const posts = Array.from({ length: 43 }, (_, index) =>
        post(`p${index}`, { content: texts[index % texts.length] ?? '', tagIds: index % 2 === 0 ? ['t'] : [] }),
      );
      const tags = [{ id: 't', name: 'Tag' }];
      await put(store, { tags, posts });
      for (const title of ['As it was', 'As it is']) {
        const [changed] = posts.splice(21, 1);
        const edited = { ...present(changed, 'a post'), title };
        posts.push(edited);
        await put(store, { tags, posts: [edited] });
        const whole = await store.listPosts('b', ALL);
        const tagged = present(await store.listTagPosts('b', 't', ALL), 'posts of the tag').items;
        equal(whole.find(({ id }) => id === edited.id)?.title, title, 'the title that was written');
        for (const [offset, limit] of [
          [7, 5],
          [0, 43],
          [0, 1],
          [9, 2],
          [10, 10],
          [9, 12],
          [42, 100],
          [30, 13],
          [19, 20],
          [43, 5],
          [Number.MAX_SAFE_INTEGER, 10],
        ] as const) {
          const range = { offset, limit };
          equal(await store.listPosts('b', range), whole.slice(offset, offset + limit), `${limit} from ${offset}`);
          const some = present(await store.listTagPosts('b', 't', range), 'posts of the tag');
          equal(some.items, tagged.slice(offset, offset + limit), `${limit} with the tag from ${offset}`);
        }
      }
    },
  ),
];
