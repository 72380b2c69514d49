import type { SnapshotBlogInput } from '@broadsheet/contract';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import type { SqlStore } from '../src/sql-store.ts';
import { openStore } from './open-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const AD = '00000000-0000-4000-8000-000000000001';
const TYPES = ['post.published', 'post.updated', 'post.removed', 'label.changed', 'ads.changed'] as const;
const hook = { id: 'h', url: 'https://site.example/hook', types: TYPES, secret: 'whsec_c2VjcmV0' };
const post = (id: string, fields = {}) => ({ id, slug: id, title: `Title ${id}`, ...fields });
const ad = { id: AD, format: 'BANNER' as const, priority: 1, active: true, startsAt: null, endsAt: null };
const fields = { imageUrl: null, linkUrl: null, title: null, content: null, linkText: null };

describeDatabases('the outbox', (database) => {
  let store: SqlStore;
  let blog: string;

  beforeEach(async () => {
    store = await openStore(database.url);
    onTestFinished(() => store.close());
    blog = crypto.randomUUID();
    await store.createBlog({ id: blog, name: 'B', domains: [] });
    await store.addHook(blog, hook, NOW);
  });

  const put = (content: Omit<SnapshotBlogInput, 'id' | 'name'>) =>
    store.putBlog({ id: blog, name: 'B', ...content }, NOW);
  const load = (content: Omit<SnapshotBlogInput, 'id' | 'name'>, options = {}) =>
    store.importBlogs([{ id: blog, name: 'B', ...content }], NOW, options);
  /** The messages since the last call, oldest first. */
  async function news(): Promise<readonly string[]> {
    const messages = (await store.listHookMessages(blog, 10_000)).toReversed();
    await store.deleteHook(blog, 'h');
    await store.addHook(blog, hook, NOW);
    return messages.map(({ event }) => [event.type, event.data.id].filter(Boolean).join(' '));
  }

  test('nothing is written for a blog without a webhook', async () => {
    await store.deleteHook(blog, 'h');
    await put({ posts: [post('a')], ads: [ad], tags: [{ id: 't', name: 'T' }] });
    expect(await store.listHookMessages(blog, 10)).toEqual([]);
  });

  test('a webhook gets only the events that it subscribes to', async () => {
    await store.addHook(blog, { ...hook, id: 'i', types: ['post.removed'] }, NOW);
    await put({ posts: [post('a')] });
    await store.deletePost(blog, 'a', NOW);
    const messages = await store.listHookMessages(blog, 10);
    expect(messages.map(({ hookId, event }) => `${hookId} ${event.type}`).sort()).toEqual([
      'h post.published',
      'h post.removed',
      'i post.removed',
    ]);
  });

  test('posts are reported when readers see a change', async () => {
    await put({ posts: [post('a'), post('draft', { status: 'DRAFT' })] });
    expect(await news()).toEqual(['post.published a']);
    await put({ posts: [post('a'), post('draft', { status: 'DRAFT', title: 'Other' })] });
    expect(await news()).toEqual([]);
    await put({ posts: [post('a', { coverUrl: 'https://site.example/a.png' })] });
    expect(await news()).toEqual(['post.updated a']);
    await store.unpublishPost(blog, 'a', NOW);
    expect(await news()).toEqual(['post.removed a']);
    await store.publishPost(blog, 'draft', { now: NOW });
    expect(await news()).toEqual(['post.published draft']);
    await store.deletePost(blog, 'draft', NOW);
    expect(await news()).toEqual(['post.removed draft']);
    await store.restoreFromBin(blog, { kind: 'post', id: 'draft', deletedAt: NOW }, NOW);
    expect(await news()).toEqual(['post.published draft']);
  });

  test('an event has the cache tags of the reads that it invalidates, and the revision of the blog', async () => {
    const labels = { categories: [{ id: 'c', name: 'C' }], tags: [{ id: 't', name: 'T' }] };
    await put({ ...labels, posts: [post('a', { categoryIds: ['c'] })] });
    await news();
    await put({ posts: [post('a', { slug: 'b', tagIds: ['t'] })], apiKeys: [blog] });
    const [message] = await store.listHookMessages(blog, 1);
    expect(message?.event.data).toEqual({
      id: 'a',
      slug: 'b',
      tags: ['posts', 'post:a', 'post:slug:a', 'post:slug:b', 'categories', 'category:c', 'tags', 'tag:t'],
      revision: (await store.findBlog(blog))?.revision,
    });
  });

  test('a post that is due is published and reported without a request', async () => {
    await store.putBlog({ id: blog, name: 'B', posts: [post('a', { status: 'DRAFT' })] }, NOW);
    await store.publishPost(blog, 'a', { now: NOW, at: NOW + 1000 });
    await store.outbox.publishDuePosts(NOW + 999);
    expect(await news()).toEqual([]);
    await store.outbox.publishDuePosts(NOW + 1000);
    await store.outbox.publishDuePosts(NOW + 1000);
    expect(await news()).toEqual(['post.published a']);
  });

  test('labels are reported when they are added, changed or removed', async () => {
    await put({ tags: [{ id: 't', name: 'T' }], categories: [{ id: 'c', name: 'C' }] });
    expect(await news()).toEqual(['label.changed c', 'label.changed t']);
    await put({ tags: [{ id: 't', name: 'T' }], categories: [{ id: 'c', name: 'C', description: 'New' }] });
    expect(await news()).toEqual(['label.changed c']);
    await load({ tags: [{ id: 't', name: 'T' }] }, { prune: true });
    expect(await news()).toEqual(['label.changed c']);
  });

  test('ads are reported when another set of ads or rules is delivered', async () => {
    const campaign = { id: 'c', sponsor: 'S', name: 'N', kind: 'paid' as const, pace: 'even' as const };
    const rules = { ...campaign, startsAt: null, endsAt: null, goal: null, perDay: null };
    const stored = { ...ad, ...fields };
    await put({ ads: [ad] });
    expect(await news()).toEqual(['ads.changed']);
    await put({ ads: [ad] });
    await store.putCampaign(blog, rules);
    expect(await news()).toEqual([]);
    await store.putAd(blog, { ...stored, campaignId: 'c' });
    expect(await news()).toEqual(['ads.changed']);
    await store.putCampaign(blog, { ...rules, sponsor: 'Other' });
    expect(await news()).toEqual([]);
    await store.putCampaign(blog, { ...rules, perDay: 5 });
    expect(await news()).toEqual(['ads.changed']);
    await store.setAdActive(blog, AD, false);
    expect(await news()).toEqual(['ads.changed']);
    await store.putAd(blog, { ...stored, active: false, title: 'Other' });
    await store.deleteAd(blog, AD, NOW);
    await store.restoreFromBin(blog, { kind: 'ad', id: AD, deletedAt: NOW }, NOW);
    expect(await news()).toEqual([]);
    await store.setAdActive(blog, AD, true);
    await store.deleteCampaign(blog, 'c', NOW);
    await store.restoreFromBin(blog, { kind: 'campaign', id: 'c', deletedAt: NOW }, NOW);
    // The ad was put back without its campaign.
    expect(await news()).toEqual(['ads.changed']);
  });

  test('an import in parts reports each changed post once, with one revision', async () => {
    const posts = Array.from({ length: 1500 }, (_, index) => post(`p${index}`));
    await put({ posts: posts.slice(0, 1000) });
    await news();
    const changed = posts.map((each, index) => (index < 10 ? { ...each, title: 'New' } : each));
    const parts = [0, 500, 1000].map((from) => ({ id: blog, name: 'B', posts: changed.slice(from, from + 500) }));
    await store.importBlogs(parts, NOW, { dryRun: true });
    expect(await news()).toEqual([]);
    await store.importBlogs(parts, NOW);
    const messages = await store.listHookMessages(blog, 10_000);
    expect(new Set(messages.map(({ event }) => event.data.id)).size).toBe(510);
    expect(messages).toHaveLength(510);
    await store.addKey(blog, blog, NOW);
    const revision = (await store.findBlog(blog))?.revision;
    expect(new Set(messages.map(({ event }) => event.data.revision))).toEqual(new Set([revision]));
    await news();
    await load({ posts: changed.slice(0, 5) }, { prune: true });
    const removed = await news();
    expect(removed).toHaveLength(1495);
    expect(new Set(removed.map((text) => text.split(' ')[0]))).toEqual(new Set(['post.removed']));
  });

  test('messages about one subject are due in order, independently of other subjects', async () => {
    await put({ posts: [post('a')] });
    await put({ posts: [post('a', { title: 'New' }), post('b')] });
    const due = async (now = NOW) => (await store.outbox.due(now, [], 100)).filter(({ blogId }) => blogId === blog);
    const [first, second, ...more] = await due();
    expect([first, second].map((message) => JSON.parse(message?.body ?? '').data.id).sort()).toEqual(['a', 'b']);
    expect(more).toEqual([]);
    expect((await store.outbox.due(NOW, ['h'], 100)).filter(({ blogId }) => blogId === blog)).toEqual([]);
    const attempt = { at: new Date(NOW).toISOString(), duration: 1, status: 500, text: '' };
    for (const message of await due()) await store.outbox.record(message, attempt, NOW + 5000);
    expect(await due()).toEqual([]);
    const again = await store.outbox.due(NOW + 5000, [], 100);
    for (const message of again.filter(({ blogId }) => blogId === blog)) {
      expect(message.attempts).toEqual([attempt]);
      await store.outbox.record(message, { ...attempt, status: 204 }, null);
    }
    expect((await due(NOW + 5000)).map(({ body }) => JSON.parse(body).type)).toEqual(['post.updated']);
  });

  test('messages behind a failed one do not delay those about other subjects', async () => {
    await put({ posts: [post('a')] });
    const ours = (messages: readonly { blogId: string }[]) => messages.filter(({ blogId }) => blogId === blog).length;
    const attempt = { at: new Date(NOW).toISOString(), duration: 1, status: 500, text: '' };
    for (const message of await store.outbox.due(NOW, [], 100)) {
      await store.outbox.record(message, attempt, message.blogId === blog ? NOW + 5000 : null);
    }
    for (const title of ['1', '2', '3']) await put({ posts: [post('a', { title })] });
    await put({ posts: [post('b')] });
    await store.outbox.due(NOW, [], 3);
    expect(ours(await store.outbox.due(NOW, [], 3))).toBe(1);
    expect(ours(await store.outbox.due(NOW + 5000, [], 100))).toBe(2);
  });

  test('a receiver that is gone gets nothing until a test succeeds', async () => {
    await put({ posts: [post('a'), post('b')] });
    const due = async () => (await store.outbox.due(NOW, [], 100)).filter(({ blogId }) => blogId === blog);
    const attempt = { at: new Date(NOW).toISOString(), duration: 1, status: 410, text: 'Gone' };
    const [first] = await due();
    if (first) await store.outbox.record(first, attempt, null);
    expect(await store.listHooks(blog)).toMatchObject([{ goneAt: attempt.at, pending: 0 }]);
    await put({ posts: [post('c')] });
    expect(await due()).toEqual([]);
    await store.testHook(blog, 'h');
    const [trial] = await due();
    if (trial) await store.outbox.record(trial, { ...attempt, status: 200 }, null);
    expect(await store.listHooks(blog)).toMatchObject([{ goneAt: null }]);
    await put({ posts: [post('d')] });
    expect((await due()).map(({ body }) => JSON.parse(body).data.id)).toEqual(['d']);
  });

  test('a message can be sent again, and is signed with both secrets after a rotation', async () => {
    await put({ posts: [post('a')] });
    await store.rotateHook(blog, { id: 'h', secret: 'whsec_bmV3' }, NOW);
    const due = async (now: number) => (await store.outbox.due(now, [], 100)).filter(({ blogId }) => blogId === blog);
    const [message] = await due(NOW);
    if (!message) throw new Error('nothing is due');
    expect(message.secrets).toEqual(['whsec_bmV3', hook.secret]);
    expect((await due(NOW + 25 * 60 * 60 * 1000))[0]?.secrets).toEqual(['whsec_bmV3']);
    await store.outbox.record(message, { at: '', duration: 1, status: 200, text: '' }, null);
    expect(await due(NOW)).toEqual([]);
    expect(await store.sendHookMessage(blog, message.id)).toBe(true);
    expect(await due(NOW)).toMatchObject([{ id: message.id }]);
    expect(await store.sendHookMessage(blog, 'msg_none')).toBe(false);
  });

  test('one holder has the lease until it frees it or stops renewing it', async () => {
    const { outbox } = store;
    const taken = await outbox.take('one');
    expect(taken.isMine).toBe(true);
    const seen = await outbox.take('two');
    expect(seen.isMine).toBe(false);
    await outbox.take('one');
    expect((await outbox.take('two', seen.beat)).isMine).toBe(false);
    const { beat } = await outbox.take('two');
    expect((await outbox.take('two', beat)).isMine).toBe(true);
    await outbox.free('one');
    expect((await outbox.take('one')).isMine).toBe(false);
    await outbox.free('two');
    expect((await outbox.take('one')).isMine).toBe(true);
    await outbox.free('one');
  });

  test('deleting a blog deletes its webhooks and messages', async () => {
    await put({ posts: [post('a')] });
    await store.deleteBlog(blog);
    expect([await store.listHooks(blog), await store.listHookMessages(blog, 10)]).toEqual([[], []]);
  });
});
