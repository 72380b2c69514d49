import { equal, present } from '../../src/expect.ts';
import { ALL, ids, NOW_TEXT, post, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

/** Categories and tags, and the posts in them. */
export const labelCases: readonly StoreCase[] = [
  storeCase('names are ordered by code unit after folding', async (store) => {
    const words = ['b c', 'b-c', 'bc', 'b_c', 'B', '10', '9', 'ω', '字'];
    await put(store, { tags: words.map((name, index) => ({ id: String(index), name })) });
    const names = (await store.listTags('b')).map((tag) => tag.name);
    const sorted = [...words].sort((one, two) => (one.toLowerCase() < two.toLowerCase() ? -1 : 1));
    equal(names, sorted, 'order');
  }),
  storeCase('a category and a tag have exactly the fields of the API', async (store) => {
    const at = '2025-05-05T05:05:05.000Z';
    await put(store, {
      categories: [{ id: 'c', name: 'C', description: 'About "C"', createdAt: at, updatedAt: at }],
      tags: [{ id: 't', name: 'T' }],
      posts: [post('1', { categoryIds: ['c'] }), post('2', { categoryIds: ['c'], tagIds: ['t'] })],
    });
    const dates = { createdAt: at, updatedAt: at };
    const category = { id: 'c', name: 'C', description: 'About "C"', blogId: 'b', ...dates, _count: { posts: 2 } };
    const tag = { id: 't', name: 'T', blogId: 'b', createdAt: NOW_TEXT, updatedAt: NOW_TEXT, _count: { posts: 1 } };
    equal(await store.getCategory('b', 'c'), category, 'getCategory');
    equal(await store.listCategories('b'), [category], 'listCategories');
    equal(await store.getTag('b', 't'), tag, 'getTag');
    equal(await store.listTags('b'), [tag], 'listTags');
  }),
  storeCase('a category or a tag without posts counts none and lists none', async (store) => {
    await put(store, { categories: [{ id: 'c', name: 'C' }], tags: [{ id: 't', name: 'T' }], posts: [post('p')] });
    equal((await store.getCategory('b', 'c'))?._count.posts, 0, 'count of the category');
    equal((await store.getTag('b', 't'))?._count.posts, 0, 'count of the tag');
    equal(await store.listCategoryPosts('b', 'c', ALL), { items: [], total: 0 }, 'category posts');
    equal(await store.listTagPosts('b', 't', ALL), { items: [], total: 0 }, 'tag posts');
  }),
  storeCase('slices of the posts of a category or tag keep the order and have the full total', async (store) => {
    const day = (index: number) => `2026-01-0${1 + (index % 4)}T00:00:00.000Z`;
    const inside = { categoryIds: ['c'], tagIds: ['t'] };
    const posts = Array.from({ length: 30 }, (_, index) =>
      post(`p${index}`, { publishedAt: index % 7 === 0 ? null : day(index), ...(index % 2 === 0 ? inside : {}) }),
    );
    await put(store, { categories: [{ id: 'c', name: 'C' }], tags: [{ id: 't', name: 'T' }], posts });
    const expected = ids(await store.listPosts('b', ALL)).filter((id) => Number(id.slice(1)) % 2 === 0);
    for (const list of [store.listCategoryPosts.bind(store, 'b', 'c'), store.listTagPosts.bind(store, 'b', 't')]) {
      const whole = present(await list(ALL), 'the whole');
      equal(ids(whole.items), expected, 'the whole');
      const cut = present(await list({ offset: 4, limit: 5 }), 'the slice');
      equal(ids(cut.items), expected.slice(4, 9), 'a slice');
      equal(cut.total, 15, 'total of a slice');
      equal(await list({ offset: 15, limit: 5 }), { items: [], total: 15 }, 'past the end');
      equal(await list({ offset: Number.MAX_SAFE_INTEGER, limit: 5 }), { items: [], total: 15 }, 'far past the end');
    }
  }),
];
