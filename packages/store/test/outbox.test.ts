import type { SnapshotBlogInput, WebhookEvent } from '@broadsheet/contract';
import { openStore } from '@broadsheet/store/node';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import type { SqlStore } from '../src/sql-store.ts';
import type { Attempt } from '../src/webhooks/messages.ts';

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
  async function taken(): Promise<readonly string[]> {
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
    expect(await taken()).toEqual(['post.published a']);
    await put({ posts: [post('a'), post('draft', { status: 'DRAFT', title: 'Other' })] });
    expect(await taken()).toEqual([]);
    await put({ posts: [post('a', { coverUrl: 'https://site.example/a.png' })] });
    expect(await taken()).toEqual(['post.updated a']);
    await store.unpublishPost(blog, 'a', NOW);
    expect(await taken()).toEqual(['post.removed a']);
    await store.publishPost(blog, 'draft', { now: NOW });
    expect(await taken()).toEqual(['post.published draft']);
    await store.deletePost(blog, 'draft', NOW);
    expect(await taken()).toEqual(['post.removed draft']);
    await store.restoreFromBin(blog, { kind: 'post', id: 'draft', deletedAt: NOW }, NOW);
    expect(await taken()).toEqual(['post.published draft']);
  });

  test('an event has the cache tags of the reads that it invalidates, and the revision of the blog', async () => {
    const labels = { categories: [{ id: 'c', name: 'C' }], tags: [{ id: 't', name: 'T' }] };
    await put({ ...labels, posts: [post('a', { categoryIds: ['c'] })] });
    await taken();
    await put({ posts: [post('a', { slug: 'b', tagIds: ['t'] })], apiKeys: [blog] });
    const [message] = await store.listHookMessages(blog, 1);
    expect(message?.event.data).toEqual({
      id: 'a',
      slug: 'b',
      tags: ['posts', 'post:a', 'post:slug:a', 'post:slug:b', 'categories', 'category:c', 'tags', 'tag:t'],
      revision: (await store.findBlog(blog))?.revision,
    });
  });

  test('a renamed file with the same slug is an update of its page, not a removal', async () => {
    const labels = { categories: [{ id: 'c', name: 'C' }], tags: [{ id: 't', name: 'T' }] };
    await put({ ...labels, posts: [post('old', { slug: 'tea', categoryIds: ['c'] }), post('gone'), post('kept')] });
    await taken();
    await load({ ...labels, posts: [post('new', { slug: 'tea', tagIds: ['t'] }), post('kept')] }, { prune: true });
    const messages = await store.listHookMessages(blog, 10);
    const tags = messages.find(({ event }) => event.data.id === 'new')?.event.data.tags;
    expect(tags?.toSorted()).toEqual(
      ['posts', 'post:new', 'post:old', 'post:slug:tea', 'categories', 'category:c', 'tags', 'tag:t'].sort(),
    );
    expect((await taken()).toSorted()).toEqual(['post.removed gone', 'post.updated new']);
  });

  test('a renamed file that was a draft is published', async () => {
    await put({ posts: [post('old', { slug: 'tea', status: 'DRAFT' })] });
    await load({ posts: [post('new', { slug: 'tea' })] }, { prune: true });
    expect(await taken()).toEqual(['post.published new']);
    await load({ posts: [post('again', { slug: 'tea', status: 'DRAFT' })] }, { prune: true });
    expect(await taken()).toEqual(['post.removed new']);
  });

  test('a slug that another post takes over is not reported as removed, in any order of posts and parts', async () => {
    const dated = (id: string, year: number, fields = {}) =>
      post(id, { publishedAt: `${year}-01-01T00:00:00.000Z`, ...fields });
    for (const [old, heir] of [
      [2020, 2025],
      [2025, 2020],
    ] as const) {
      await load({ posts: [dated('a', old, { slug: 'tea' }), dated('b', heir, { status: 'DRAFT' })] }, { prune: true });
      await taken();
      const written = [dated('a', old, { slug: 'a', status: 'DRAFT' }), dated('b', heir, { slug: 'tea' })];
      const parts = written.map((one) => ({ id: blog, name: 'B', posts: [one] }));
      await store.importBlogs(heir > old ? parts : [{ id: blog, name: 'B', posts: written }], NOW);
      const messages = await store.listHookMessages(blog, 10);
      expect(messages.map(({ event }) => event.data)).toEqual(messages.map(() => expect.objectContaining({ id: 'b' })));
      expect(messages.flatMap(({ event }) => event.data.tags)).toEqual(expect.arrayContaining(['post:a', 'post:b']));
      expect((await taken())[0]).toBe('post.published b');
    }
  });

  test('a post that is due is published and reported without a request', async () => {
    await store.putBlog({ id: blog, name: 'B', posts: [post('a', { status: 'DRAFT' })] }, NOW);
    await store.publishPost(blog, 'a', { now: NOW, at: NOW + 1000 });
    await store.outbox.publishDuePosts(NOW + 999);
    expect(await taken()).toEqual([]);
    await store.outbox.publishDuePosts(NOW + 1000);
    await store.outbox.publishDuePosts(NOW + 1000);
    expect(await taken()).toEqual(['post.published a']);
  });

  test('labels are reported when they are added, changed or removed', async () => {
    await put({ tags: [{ id: 't', name: 'T' }], categories: [{ id: 'c', name: 'C' }] });
    expect(await taken()).toEqual(['label.changed c', 'label.changed t']);
    await put({ tags: [{ id: 't', name: 'T' }], categories: [{ id: 'c', name: 'C', description: 'New' }] });
    expect(await taken()).toEqual(['label.changed c']);
    await load({ tags: [{ id: 't', name: 'T' }] }, { prune: true });
    expect(await taken()).toEqual(['label.changed c']);
  });

  test('ads are reported when the delivered ads, or the rules of their campaigns, change', async () => {
    const campaign = { id: 'c', sponsor: 'S', name: 'N', kind: 'paid' as const, pace: 'even' as const };
    const rules = { ...campaign, startsAt: null, endsAt: null, goal: null, perDay: null };
    const stored = { ...ad, ...fields };
    await put({ ads: [ad] });
    expect(await taken()).toEqual(['ads.changed']);
    await put({ ads: [ad] });
    await store.putCampaign(blog, rules);
    expect(await taken()).toEqual([]);
    await store.putAd(blog, { ...stored, campaignId: 'c' });
    expect(await taken()).toEqual(['ads.changed']);
    await store.putAd(blog, { ...stored, campaignId: 'c', name: 'Only for us' });
    expect(await taken()).toEqual([]);
    await store.putCampaign(blog, { ...rules, sponsor: 'Other' });
    expect(await taken()).toEqual([]);
    await store.putCampaign(blog, { ...rules, perDay: 5 });
    expect(await taken()).toEqual(['ads.changed']);
    await store.setAdActive(blog, AD, false);
    expect(await taken()).toEqual(['ads.changed']);
    await store.putAd(blog, { ...stored, active: false, title: 'Other' });
    await store.deleteAd(blog, AD, NOW);
    await store.restoreFromBin(blog, { kind: 'ad', id: AD, deletedAt: NOW }, NOW);
    expect(await taken()).toEqual([]);
    await store.setAdActive(blog, AD, true);
    await store.deleteCampaign(blog, 'c', NOW);
    await store.restoreFromBin(blog, { kind: 'campaign', id: 'c', deletedAt: NOW }, NOW);
    // The ad was put back without its campaign.
    expect(await taken()).toEqual(['ads.changed']);
  });

  test('an import in parts reports each changed post once, with one revision', async () => {
    const posts = Array.from({ length: 1500 }, (_, index) => post(`p${index}`));
    await put({ posts: posts.slice(0, 1000) });
    await taken();
    const changed = posts.map((each, index) => (index < 10 ? { ...each, title: 'New' } : each));
    const parts = [0, 500, 1000].map((from) => ({ id: blog, name: 'B', posts: changed.slice(from, from + 500) }));
    await store.importBlogs(parts, NOW, { dryRun: true });
    expect(await taken()).toEqual([]);
    await store.importBlogs(parts, NOW);
    const messages = await store.listHookMessages(blog, 10_000);
    expect(new Set(messages.map(({ event }) => event.data.id)).size).toBe(510);
    expect(messages).toHaveLength(510);
    await store.addKey(blog, blog, NOW);
    const revision = (await store.findBlog(blog))?.revision;
    expect(new Set(messages.map(({ event }) => event.data.revision))).toEqual(new Set([revision]));
    await taken();
    await load({ posts: changed.slice(0, 5) }, { prune: true });
    const removed = await taken();
    expect(removed).toHaveLength(1495);
    expect(new Set(removed.map((text) => text.split(' ')[0]))).toEqual(new Set(['post.removed']));
  });

  const room = { hasRoom: () => true, isSending: () => false };
  /** The messages of the blog that are due. */
  const due = async (now = NOW, { outbox } = store) =>
    (await outbox.due(now, room)).filter(({ blogId }) => blogId === blog);
  const eventOf = (message: { readonly body: string } | undefined): WebhookEvent => JSON.parse(message?.body ?? '');
  /** The types and subjects of events, in the order of the subjects. */
  const news = (messages: readonly { readonly body: string }[]) =>
    messages.map((message) => `${eventOf(message).type} ${eventOf(message).data.id}`).sort();
  const attempt = { at: new Date(NOW).toISOString(), duration: 1, status: 500, text: '' };
  const later = (milliseconds: number) => ({ ...attempt, at: new Date(NOW + milliseconds).toISOString() });

  test('a message waits for its next attempt, and other subjects do not wait for it', async () => {
    await put({ posts: [post('a'), post('b')] });
    const [first, second, ...more] = await due();
    if (!first || !second) throw new Error('nothing is due');
    expect(news([first, second])).toEqual(['post.published a', 'post.published b']);
    expect(more).toEqual([]);
    await store.outbox.record(first, attempt, NOW + 5000);
    expect(await due()).toEqual([second]);
    await store.outbox.record(second, attempt, NOW + 60_000);
    expect(await due(NOW + 4999)).toEqual([]);
    expect(await due(NOW + 5000)).toEqual([{ ...first, attempts: [attempt] }]);
  });

  test('a newer message replaces older ones about the same subject, with the cache tags of all', async () => {
    await put({ posts: [post('a', { slug: 'one' })] });
    const [first] = await due();
    if (!first) throw new Error('nothing is due');
    await store.outbox.record(first, attempt, NOW + 5000);
    for (const slug of ['two', 'three']) await put({ posts: [post('a', { slug })] });
    await put({ posts: [post('b')] });
    const [newest, other] = await due();
    if (!newest) throw new Error('nothing is due');
    expect(news(other ? [other] : [])).toEqual(['post.published b']);
    // The receiver has not been notified of the post yet.
    expect(eventOf(newest)).toMatchObject({ type: 'post.published', data: { id: 'a', slug: 'three' } });
    const tags = ['one', 'two', 'three'].map((slug) => `post:slug:${slug}`);
    expect(eventOf(newest).data.tags.filter((tag) => tag.includes(':slug:'))).toEqual(tags);
    await store.outbox.record(newest, attempt, NOW + 60_000);
    expect(news(await due(NOW + 59_999))).toEqual(['post.published b']);
    const [again] = (await due(NOW + 60_000)).filter(({ id }) => id === newest.id);
    expect(again).toEqual({ ...newest, attempts: [attempt], replaced: [] });
    // The one that was attempted stays in the history.
    const history = (await store.listHookMessages(blog, 10)).filter(({ event }) => event.data.id === 'a');
    expect(history.map(({ id, nextAt }) => [id, nextAt === null])).toEqual([
      [newest.id, false],
      [first.id, true],
    ]);
  });

  test('no message is due while its subject is being sent or its webhook has no room', async () => {
    await store.addHook(blog, { ...hook, id: 'full' }, NOW);
    await put({ posts: [post('a'), post('b')] });
    const shares = {
      hasRoom: ({ hookId }: { hookId: string }) => hookId !== 'full',
      isSending: ({ subject }: { subject: string }) => subject === 'post a',
    };
    const messages = (await store.outbox.due(NOW, shares)).filter(({ blogId }) => blogId === blog);
    expect(messages.map(({ hookId, subject }) => [hookId, subject])).toEqual([['h', 'post b']]);
  });

  test('the messages of one blog leave room for the messages of others, however many there are', async () => {
    const other = crypto.randomUUID();
    await store.createBlog({ id: other, name: 'O', domains: [] });
    for (let change = 0; change < 3; change += 1) await store.putBlog({ id: other, name: 'O' }, NOW);
    await put({ posts: Array.from({ length: 600 }, (_, index) => post(`p${index}`)) });
    await store.addHook(other, hook, NOW);
    await store.putBlog({ id: other, name: 'O', posts: [post('a')] }, NOW);
    const messages = await store.outbox.due(NOW, room);
    expect(messages.map(({ blogId }) => blogId)).toContain(other);
    const places = messages.map(({ blogId }) => blogId);
    expect(places.indexOf(other)).toBeLessThan(places.lastIndexOf(blog));
    expect(places.filter((id) => id === blog).length).toBeLessThan(100);
  });

  test('a blog has at most ten webhooks', async () => {
    const added = await Promise.all(
      Array.from({ length: 12 }, (_, index) => store.addHook(blog, { ...hook, id: `h${index}` }, NOW)),
    );
    expect(added.filter(Boolean)).toHaveLength(9);
    expect(await store.listHooks(blog)).toHaveLength(10);
  });

  test('a receiver that is gone gets nothing until a test succeeds', async () => {
    await put({ posts: [post('a'), post('b'), post('c')] });
    const [first, second, third] = await due();
    if (!first || !second || !third) throw new Error('nothing is due');
    const goneAt = new Date(NOW + 1).toISOString();
    await store.outbox.record(first, { ...attempt, status: 410, text: 'Gone' }, null);
    expect(await store.listHooks(blog)).toMatchObject([{ goneAt, pending: 0 }]);
    // These requests were in flight when the response arrived.
    await store.outbox.record(second, attempt, NOW + 5000);
    await store.outbox.record(third, { ...attempt, status: 200 }, null);
    expect(await store.listHooks(blog)).toMatchObject([{ goneAt, pending: 0 }]);
    await put({ posts: [post('d')] });
    expect(await store.sendHookMessage(blog, first.id)).toBe(false);
    expect(await due(NOW + 60_000)).toEqual([]);

    const test = async (outcome: Partial<Attempt>) => {
      await store.testHook(blog, 'h');
      const [trial, ...more] = await due(NOW + 60_000);
      if (!trial || more.length > 0) throw new Error('one test is due');
      await store.outbox.record(trial, { ...later(60_000), ...outcome }, outcome.status === 200 ? null : NOW + 90_000);
    };
    const { status: _, ...withoutStatus } = attempt;
    await test({ status: 500 });
    await store.testHook(blog, 'h');
    const [trial] = await due(NOW + 60_000);
    if (trial) await store.outbox.record(trial, { ...withoutStatus, at: later(60_000).at }, null);
    expect(await store.listHooks(blog)).toMatchObject([{ goneAt, pending: 0 }]);
    await test({ status: 200 });
    expect(await store.listHooks(blog)).toMatchObject([{ goneAt: null, pending: 0 }]);
    await put({ posts: [post('e')] });
    expect(news(await due(NOW + 60_000))).toEqual(['post.published e']);
  });

  test('after the first success, all messages that failed during the outage become due, once', async () => {
    const HOUR = 3_600_000;
    await put({ posts: [post('before'), post('a'), post('b')] });
    const byId = async (now: number) => new Map((await due(now)).map((message) => [eventOf(message).data.id, message]));
    const record = async (id: string, time: number, status: number) => {
      const message = (await byId(NOW + time)).get(id);
      if (!message) throw new Error(`${id} is not due`);
      const isWell = status < 300;
      await store.outbox.record(message, { ...later(time), status }, isWell ? null : NOW + time + 24 * HOUR);
    };
    await record('before', 0, 204);
    await record('a', 1, 500);
    await record('b', 2, 500);
    expect(await due(NOW + 8 * HOUR)).toEqual([]);
    await put({ posts: [post('c')] });
    await record('c', 8 * HOUR, 204);
    expect(news(await due(NOW + 8 * HOUR))).toEqual(['post.published a', 'post.published b']);
    await record('a', 9 * HOUR, 204);
    // A message that fails while others arrive keeps its own times.
    await record('b', 9 * HOUR, 500);
    await put({ posts: [post('d')] });
    await record('d', 10 * HOUR, 204);
    expect(await due(NOW + 10 * HOUR)).toEqual([]);
    expect(news(await due(NOW + 33 * HOUR))).toEqual(['post.published b']);
  });

  test('a message can be sent again', async () => {
    await put({ posts: [post('a')] });
    const [message] = await due();
    if (!message) throw new Error('nothing is due');
    await store.outbox.record(message, { ...attempt, status: 200 }, null);
    expect(await due()).toEqual([]);
    expect(await store.sendHookMessage(blog, message.id)).toBe(true);
    expect(await due()).toMatchObject([{ id: message.id }]);
    const [listed] = await store.listHookMessages(blog, 1);
    expect(listed?.nextAt).toBe(Date.parse(listed?.event.timestamp ?? ''));
    expect(await store.sendHookMessage(blog, 'msg_none')).toBe(false);
  });

  test('requests are signed with every secret of the last 24 hours', async () => {
    const HOUR = 3_600_000;
    await put({ posts: [post('a')] });
    const secrets = async (now: number) => (await due(now))[0]?.secrets;
    for (const [index, secret] of ['whsec_b25l', 'whsec_dHdv'].entries())
      await store.rotateHook(blog, { id: 'h', secret }, NOW + index * 12 * HOUR);
    expect(await secrets(NOW + 23 * HOUR)).toEqual(['whsec_dHdv', 'whsec_b25l', hook.secret]);
    expect(await secrets(NOW + 25 * HOUR)).toEqual(['whsec_dHdv', 'whsec_b25l']);
    expect(await secrets(NOW + 36 * HOUR)).toEqual(['whsec_dHdv']);
    expect(await store.rotateHook(blog, { id: 'none', secret: 'whsec_dHdv' }, NOW)).toBe(false);
    for (let turn = 0; turn < 20; turn += 1) await store.rotateHook(blog, { id: 'h', secret: `whsec_${turn}` }, NOW);
    expect(await secrets(NOW)).toHaveLength(10);
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
