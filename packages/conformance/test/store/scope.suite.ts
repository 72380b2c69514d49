import type { Store } from '@broadsheet/core';
import { equal, holds, present } from '../../src/expect.ts';
import { ALL, ad, ids, post, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

/** Two blogs that share every id and differ in every text. */
async function twins(store: Pick<Store, 'putBlog'>): Promise<void> {
  for (const id of ['one', 'two']) {
    await put(store, {
      id,
      name: id,
      apiKeys: [`key-${id}`],
      domains: [`${id}.example`],
      categories: [{ id: 'c', name: `category of ${id}` }],
      tags: [{ id: 't', name: `tag of ${id}` }],
      posts: [post('p', { title: `shared words of ${id}`, categoryIds: ['c'], tagIds: ['t'] }), post(`only-${id}`)],
      ads: [ad(1, { title: `ad of ${id}` })],
    });
  }
}

/** Visibility: drafts, other blogs and similar ids. */
export const scopeCases: readonly StoreCase[] = [
  storeCase('a post appears and disappears with its status', async (store) => {
    await put(store, { tags: [{ id: 't', name: 'T' }], posts: [post('p', { status: 'DRAFT', tagIds: ['t'] })] });
    await put(store, { posts: [post('p', { tagIds: ['t'] })] });
    equal(ids(await store.searchPosts('b', ['title'], ALL)), ['p'], 'found when published');
    equal((await store.getTag('b', 't'))?._count, { posts: 1 }, 'counted when published');
    await put(store, { posts: [post('p', { status: 'DRAFT', tagIds: ['t'] })] });
    equal(await store.searchPosts('b', ['title'], ALL), [], 'found when withdrawn');
    equal(await store.getPost('b', 'p'), undefined, 'read when withdrawn');
    equal((await store.getTag('b', 't'))?._count, { posts: 0 }, 'counted when withdrawn');
  }),
  storeCase('a key finds its own blog', async (store) => {
    await twins(store);
    const one = present(await store.findBlog('key-one'), 'blog one');
    const two = present(await store.findBlog('key-two'), 'blog two');
    equal([one.id, one.domains], ['one', ['one.example']], 'blog one');
    equal([two.id, two.domains], ['two', ['two.example']], 'blog two');
    holds(one.revision !== '', 'a blog has a revision');
  }),
  storeCase('an unknown key finds no blog', async (store) => {
    await twins(store);
    const strangers = ['', 'KEY-ONE', 'key-one ', ' key-one', 'key-on', 'key-onee', 'one', '%', 'key_one', '__proto__'];
    for (const key of [
      ...strangers,
      'constructor',
      "' OR '1'='1",
      'key-one\u0000',
      '\u0000',
      '😀',
      'x'.repeat(10_000),
    ]) {
      equal(await store.findBlog(key), undefined, `key ${JSON.stringify(key.slice(0, 20))}`);
    }
  }),
  storeCase('ids and slugs are matched exactly', async (store) => {
    const odd = [
      'a',
      'A',
      'a ',
      ' a',
      'a/b',
      'a%2Fb',
      'é',
      'e\u0301',
      '%',
      '_',
      '*',
      "'",
      '"',
      '\\',
      '😀',
      '__proto__',
    ];
    const all = [...odd, 'constructor', '0', '00', 'null', 'undefined', '..', '?', '#', 'a\nb', 'x'.repeat(500)];
    const named = all.map((id) => ({ id, name: id.slice(0, 200) }));
    const posts = all.map((id) => post(id, { slug: id, title: id, categoryIds: [id], tagIds: [id] }));
    await put(store, { posts, categories: named, tags: named });
    for (const id of all) {
      const what = JSON.stringify(id.slice(0, 20));
      equal((await store.getPost('b', id))?.id, id, `post ${what}`);
      equal((await store.getPostBySlug('b', id))?.id, id, `slug ${what}`);
      equal((await store.getCategory('b', id))?.id, id, `category ${what}`);
      equal((await store.getTag('b', id))?.id, id, `tag ${what}`);
      equal(ids((await store.listTagPosts('b', id, ALL))?.items ?? []), [id], `posts of tag ${what}`);
      equal(ids((await store.listCategoryPosts('b', id, ALL))?.items ?? []), [id], `posts of category ${what}`);
    }
    for (const id of ['', 'b', 'aa', 'a\u0000', '\u0000', 'É', 'toString', 'x'.repeat(499)]) {
      const what = JSON.stringify(id.slice(0, 20));
      equal(await store.getPost('b', id), undefined, `post ${what}`);
      equal(await store.getPostBySlug('b', id), undefined, `slug ${what}`);
      equal(await store.getCategory('b', id), undefined, `category ${what}`);
      equal(await store.getTag('b', id), undefined, `tag ${what}`);
      equal(await store.listTagPosts('b', id, ALL), undefined, `posts of tag ${what}`);
    }
  }),
];
