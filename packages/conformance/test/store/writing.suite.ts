import type { SnapshotBlogInput } from '@broadsheet/contract';
import type { Store } from '@broadsheet/core';
import { equal, holds, present, refused } from '../../src/expect.ts';
import type { PlainStore } from './plain-store.ts';
import { ALL, ad, adId, ids, NOW, NOW_TEXT, post, put } from './sample.ts';
import { type StoreCase, storeCase } from './store-case.ts';

const LATER = NOW + 86_400_000;
const LATER_TEXT = new Date(LATER).toISOString();

/** Everything that can be read of blog `b`, except its revision. */
async function everything(store: PlainStore): Promise<unknown> {
  return {
    posts: await store.listPosts('b', ALL),
    categories: await store.listCategories('b'),
    tags: await store.listTags('b'),
    ads: await store.listAds('b'),
    counts: await store.figures('b', { by: ['day', 'ad'] }),
  };
}

const revision = async (store: Pick<Store, 'findBlog'>): Promise<string> =>
  present(await store.findBlog('k'), 'the blog').revision;

const full: SnapshotBlogInput = {
  id: 'b',
  name: 'A blog',
  domains: ['example.org'],
  apiKeys: ['k'],
  categories: [{ id: 'c', name: 'C', createdAt: NOW_TEXT, updatedAt: NOW_TEXT }],
  tags: [{ id: 't', name: 'T', createdAt: NOW_TEXT, updatedAt: NOW_TEXT }],
  posts: [post('p', { categoryIds: ['c'], tagIds: ['t'], createdAt: NOW_TEXT, updatedAt: NOW_TEXT })],
  ads: [ad(1)],
};

/** The campaigns of the ads below. */
const campaigns = ['c', 'd'].map((id) => ({ id, sponsor: 'Tea', name: id }));

type Ad = NonNullable<SnapshotBlogInput['ads']>[number];

/** An ad with every field, and the same ad with another value in each field except `active`. */
const fullAd: Required<Ad> = {
  id: adId(1),
  format: 'BANNER',
  priority: 3,
  active: true,
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: '2027-01-01T00:00:00.000Z',
  imageUrl: 'https://images.example/a.png',
  linkUrl: 'https://a.example/',
  title: 'A title',
  content: 'A text',
  linkText: 'A link',
  campaignId: 'c',
  name: 'Tea, first version 😀',
  createdAt: '2025-12-31T00:00:00.000Z',
};
const editedAd: Required<Ad> = {
  ...fullAd,
  format: 'SIDEBAR',
  priority: 4,
  startsAt: '2026-02-02T00:00:00.000Z',
  endsAt: '2028-02-02T00:00:00.000Z',
  imageUrl: 'https://images.example/b.png',
  linkUrl: 'https://b.example/',
  title: 'Another title',
  content: 'Another text',
  linkText: 'Another link',
  campaignId: 'd',
  name: 'Tea, second version',
  createdAt: '2025-12-30T00:00:00.000Z',
};
const emptiedAd: Required<Ad> = {
  ...fullAd,
  startsAt: null,
  endsAt: null,
  imageUrl: null,
  linkUrl: null,
  title: null,
  content: null,
  linkText: null,
};

/**
 * An id that no database can compress. Its characters take three bytes each, and more where a database sorts posts by
 * id.
 */
function longId(seed: number, bytes: number): string {
  let state = seed;
  const character = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return String.fromCharCode(0xe000 + ((state >> 16) % 0x1800));
  };
  return Array.from({ length: Math.floor(bytes / 3) }, character).join('') + 'x'.repeat(bytes % 3);
}

/** Writing a blog: upsert by id, all or nothing, with a new revision. */
export const writingCases: readonly StoreCase[] = [
  storeCase('ids and slugs have up to 500 bytes in UTF-8', async (store) => {
    const [id, category, tag, campaign] = [longId(1, 500), longId(2, 500), longId(3, 500), longId(4, 500)];
    const long = post(longId(5, 500), { slug: longId(6, 500), categoryIds: [category], tagIds: [tag] });
    // A slot id of 200 characters, each of four bytes.
    const placement = longId(7, 600).replace(/./g, (character) =>
      String.fromCodePoint(0x10000 + character.charCodeAt(0)),
    );
    await store.putBlog(
      {
        id,
        name: 'B',
        apiKeys: ['k'],
        categories: [{ id: category, name: 'C' }],
        tags: [{ id: tag, name: 'T' }],
        posts: [long],
        campaigns: [{ id: campaign, sponsor: 'S', name: 'N' }],
        ads: [{ ...ad(1), campaignId: campaign }],
      },
      NOW,
    );
    await store.deliver(id, { slots: [{ candidates: [adId(1)], placement }] }, NOW);
    equal(ids((await store.listCategoryPosts(id, category, ALL))?.items ?? []), [long.id], 'posts of the category');
    equal((await store.getPostBySlug(id, long.slug))?.id, long.id, 'the post by its slug');
    equal(
      (await store.figures(id, { by: ['placement'] })).map((row) => row.placement),
      [placement],
      'placements',
    );
    for (const blog of [
      { id: longId(1, 501), name: 'B' },
      { id: 'b', name: 'B', posts: [post(longId(1, 501))] },
      { id: 'b', name: 'B', posts: [post('p', { slug: longId(1, 501) })] },
      { id: 'b', name: 'B', tags: [{ id: longId(1, 501), name: 'T' }] },
      { id: 'b', name: 'B', campaigns: [{ id: longId(1, 501), sponsor: 'S', name: 'N' }] },
    ]) {
      await refused(() => store.putBlog(blog, NOW), 'an id of 501 bytes');
    }
  }),
  storeCase('writing the same again changes nothing', async (store) => {
    await store.putBlog(full, NOW);
    const before = await everything(store);
    await store.putBlog(full, LATER);
    equal(await everything(store), before, 'the blog');
  }),
  storeCase('every field of an ad is stored, and replaced when the ad is edited', async (store) => {
    for (const written of [fullAd, editedAd, emptiedAd]) {
      await put(store, { campaigns, ads: [written, ad(2)] });
      const stored = (await store.listAds('b')).find(({ id }) => id === written.id);
      equal(stored, written, 'the ad');
    }
  }),
  storeCase('editing or pausing an ad gives its blog a new revision', async (store) => {
    await put(store, { apiKeys: ['k'], campaigns, ads: [fullAd] });
    const first = await revision(store);
    await put(store, { ads: [{ ...fullAd, linkText: 'Another link' }] });
    const second = await revision(store);
    holds(second !== first, 'the revision after the edit is new');
    await put(store, { ads: [{ ...fullAd, active: false }] });
    holds((await revision(store)) !== second, 'the revision after the pause is new');
    equal(await store.listAds('b'), [], 'ads that are delivered');
  }),
  storeCase('items with a known id are replaced, others are added, and nothing is removed', async (store) => {
    await store.putBlog(full, NOW);
    await put(store, {
      categories: [{ id: 'c2', name: 'C2' }],
      tags: [{ id: 't', name: 'T again' }],
      posts: [post('p', { title: 'New', slug: 'new-slug', tagIds: ['t'], categoryIds: ['c2'] }), post('q')],
      ads: [ad(2)],
    });
    equal(ids(await store.listPosts('b', ALL)), ['q', 'p'], 'posts');
    const replaced = present(await store.getPost('b', 'p'), 'the post');
    equal([replaced.title, replaced.slug], ['New', 'new-slug'], 'title and slug');
    equal(ids(replaced.categories), ['c2'], 'categories are replaced, not merged');
    equal(
      replaced.tags.map((tag) => tag.name),
      ['T again'],
      'the new name of the tag',
    );
    equal(await store.getPostBySlug('b', 'slug-p'), undefined, 'the old slug');
    equal(ids(await store.listCategories('b')), ['c', 'c2'], 'categories');
    equal((await store.listCategoryPosts('b', 'c', ALL))?.total, 0, 'posts of the old category');
    equal(ids(await store.listAds('b')).sort(), [adId(1), adId(2)], 'ads');
    equal((await store.findBlog('k'))?.id, 'b', 'the key');
  }),
  storeCase('a field that is omitted when a post is written again gets its default', async (store) => {
    const given = { subtitle: 'Sub', content: 'Text', authorId: 'ann', tagIds: ['t'] };
    await put(store, { tags: [{ id: 't', name: 'T' }], posts: [post('p', given)] });
    await put(store, { posts: [post('p')] });
    const again = present(await store.getPost('b', 'p'), 'the post');
    equal([again.subtitle, again.content, again.authorId, again.tags], ['', '', '', []], 'fields');
  }),
  storeCase('omitted timestamps keep their value, and new items get the current time', async (store) => {
    const given = '2020-01-01T00:00:00.000Z';
    const dated = (id: string) => ({ id, name: id, createdAt: given, updatedAt: given });
    const times = (item: { createdAt: string; updatedAt: string } | undefined) => [item?.createdAt, item?.updatedAt];
    await put(store, {
      tags: [dated('kept'), { id: 'now', name: 'now' }],
      categories: [dated('kept')],
      posts: [post('kept', { createdAt: given, updatedAt: given }), post('now')],
    });
    equal(times(await store.getTag('b', 'now')), [NOW_TEXT, NOW_TEXT], 'a new tag');
    equal(times(await store.getPost('b', 'now')), [NOW_TEXT, NOW_TEXT], 'a new post');
    await put(
      store,
      {
        tags: [{ id: 'kept', name: 'kept' }],
        categories: [{ id: 'kept', name: 'kept' }],
        posts: [post('kept'), post('new')],
      },
      LATER,
    );
    equal(times(await store.getTag('b', 'kept')), [given, given], 'a tag from before');
    equal(times(await store.getCategory('b', 'kept')), [given, given], 'a category from before');
    equal(times(await store.getPost('b', 'kept')), [given, given], 'a post from before');
    equal(times(await store.getPost('b', 'new')), [LATER_TEXT, LATER_TEXT], 'a post of the second write');
  }),
  storeCase('a post that was changed gets the time of the write as updatedAt, unless it names one', async (store) => {
    const labels = ['c1', 'c2'].map((id) => ({ id, name: id }));
    const fields = { subtitle: 'S', content: 'Text', authorId: 'ann', coverUrl: 'https://a.example/1.png' };
    const written = post('p', { ...fields, categoryIds: ['c1', 'c2'], tagIds: ['c1'] });
    await put(store, { categories: labels, tags: labels, posts: [written] });
    await put(store, { posts: [{ ...written, categoryIds: ['c2', 'c1', 'c2'] }] }, LATER);
    equal((await store.getPost('b', 'p'))?.updatedAt, NOW_TEXT, 'a post with the same labels in another order');
    const changes = [
      ...[{ title: 'T' }, { slug: 's' }, { subtitle: '' }, { content: 'text' }, { authorId: '' }, { coverUrl: null }],
      ...[{ categoryIds: ['c1'] }, { tagIds: ['c1', 'c2'] }, { publishedAt: LATER_TEXT }, { scheduledAt: LATER_TEXT }],
    ];
    for (const change of changes) {
      await put(store, { posts: [{ ...written, updatedAt: NOW_TEXT }] });
      await put(store, { posts: [{ ...written, ...change }] }, LATER);
      const { createdAt, updatedAt } = present(await store.getPost('b', 'p'), 'the post');
      equal([createdAt, updatedAt], [NOW_TEXT, LATER_TEXT], `a post with another ${Object.keys(change)}`);
    }
    await put(store, { posts: [{ ...written, title: 'Given', updatedAt: NOW_TEXT }] }, LATER);
    equal((await store.getPost('b', 'p'))?.updatedAt, NOW_TEXT, 'a post that names its time');
  }),
  storeCase('a category or tag that was changed gets the time of the write as updatedAt', async (store) => {
    const tags = [
      { id: 't1', name: 'T1' },
      { id: 't2', name: 'T2' },
    ];
    const categories = tags.map((tag) => ({ ...tag, description: 'About it' }));
    await put(store, { categories, tags, posts: [post('p', { categoryIds: ['t1'], tagIds: ['t1'] })] });
    const changed = async (writes: Parameters<typeof put>[1]) => {
      await put(store, { categories, tags });
      await put(store, writes, LATER);
      const labels = [...(await store.listCategories('b')), ...(await store.listTags('b'))];
      return labels.map(({ updatedAt }) => updatedAt === LATER_TEXT);
    };
    equal(await changed({ categories, tags }), [false, false, false, false], 'after the same write');
    equal(await changed({ tags: [{ id: 't1', name: 't1' }] }), [false, false, true, false], 'after a tag was renamed');
    const described = [{ id: 't2', name: 'T2', description: 'More' }];
    equal(await changed({ categories: described }), [false, true, false, false], 'after a category was described');
    equal((await store.getPost('b', 'p'))?.updatedAt, NOW_TEXT, 'a post whose labels were changed');
  }),
  storeCase('new keys are added to the existing keys', async (store) => {
    await put(store, { apiKeys: ['k1'] });
    await put(store, { apiKeys: ['k2', 'k1', 'k3'] });
    await put(store, {});
    for (const key of ['k1', 'k2', 'k3']) equal((await store.findBlog(key))?.id, 'b', key);
  }),
  storeCase('domains are replaced', async (store) => {
    await put(store, { apiKeys: ['k'], domains: ['one.example', '*.two.example', 'three.example:8080'] });
    equal((await store.findBlog('k'))?.domains, ['one.example', '*.two.example', 'three.example:8080'], 'domains');
    await put(store, { domains: ['four.example'] });
    equal((await store.findBlog('k'))?.domains, ['four.example'], 'domains, written again');
  }),
  storeCase('domains are kept when omitted and removed by an empty list', async (store) => {
    await put(store, { apiKeys: ['k'], domains: ['one.example'] });
    await put(store, { posts: [post('p')] });
    equal((await store.findBlog('k'))?.domains, ['one.example'], 'domains left out');
    await put(store, { domains: [] });
    equal((await store.findBlog('k'))?.domains, [], 'an empty list');
  }),
  storeCase('the revision changes with every change and never returns', async (store) => {
    const seen = new Set<string>();
    await store.putBlog(full, NOW);
    seen.add(await revision(store));
    equal(await revision(store), [...seen][0], 'between two readings');
    const changes: Partial<SnapshotBlogInput>[] = [
      { posts: [post('p', { title: 'B' })] },
      { posts: [post('p')] },
      { posts: [post('draft', { status: 'DRAFT' })] },
      { tags: [{ id: 't', name: 'U' }] },
      { categories: [{ id: 'c', name: 'D' }] },
      { ads: [ad(1, { active: false })] },
      { ads: [ad(1)] },
    ];
    for (const change of changes) {
      await put(store, change);
      seen.add(await revision(store));
    }
    equal(seen.size, changes.length + 1, 'different revisions, all written within the same millisecond of `now`');
  }),
  storeCase('a key belongs to one blog, and a refused write changes nothing', async (store) => {
    await store.putBlog(full, NOW);
    const intruder = { id: 'x', name: 'X', posts: [post('p')], tags: [{ id: 't', name: 'T' }], apiKeys: ['x', 'k'] };
    let refusal: unknown;
    try {
      await store.putBlog(intruder, NOW);
    } catch (error) {
      refusal = error;
    }
    holds(refusal instanceof Error, 'a key that opens another blog is refused');
    equal((await store.findBlog('k'))?.id, 'b', 'the blog of the key');
    equal(await store.findBlog('x'), undefined, 'the key that came with it');
    equal(await store.listPosts('x', ALL), [], 'posts');
    equal(await store.listTags('x'), [], 'tags');
  }),
  storeCase(
    'a write with a duplicate slug, or a reference to something that does not exist, is rejected as a whole',
    async (store) => {
      await store.putBlog(full, NOW);
      const before = await everything(store);
      const broken: Partial<SnapshotBlogInput>[] = [
        { posts: [post('q'), post('r', { slug: 'slug-p' })] },
        { posts: [post('q', { slug: 'same' }), post('r', { slug: 'same' })] },
        { posts: [post('q'), post('r', { categoryIds: ['nowhere'] })] },
        { posts: [post('q'), post('p', { title: 'new', tagIds: ['nowhere'] })], tags: [{ id: 't', name: 'new' }] },
      ];
      for (const parts of broken) {
        await refused(() => put(store, { ...parts, ads: [ad(7)], apiKeys: ['k7'] }), JSON.stringify(parts));
        equal(await everything(store), before, 'the blog after a refusal');
        equal(await store.findBlog('k7'), undefined, 'the key that came with it');
      }
    },
  ),
  storeCase('posts may swap their slugs in one write', async (store) => {
    await put(store, { posts: [post('one', { slug: 'a' }), post('two', { slug: 'b' })] });
    await put(store, { posts: [post('one', { slug: 'b' }), post('two', { slug: 'a' })] });
    equal((await store.getPostBySlug('b', 'a'))?.id, 'two', 'slug a');
    equal((await store.getPostBySlug('b', 'b'))?.id, 'one', 'slug b');
  }),
  storeCase('the store is not affected by later changes to the objects it was given', async (store) => {
    const given = post('p', { title: 'before' });
    await put(store, { posts: [given] });
    given.title = 'after';
    equal((await store.getPost('b', 'p'))?.title, 'before', 'title');
  }),
  storeCase('a blog of many posts is written and read whole', async (store) => {
    await put(store, { posts: Array.from({ length: 3000 }, (_, index) => post(`p${index}`)) });
    equal((await store.listPosts('b', { offset: 0, limit: 5000 })).length, 3000, 'posts');
    await store.check();
  }),
];
