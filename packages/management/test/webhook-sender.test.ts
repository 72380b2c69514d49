import type { SendRequest } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { WebhookSender } from '../src/webhooks/sender.ts';

const WAIT = { timeout: 20_000, interval: 10 };
const TYPES = ['post.published', 'post.updated'] as const;
const posts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}`, slug: `p${index}`, title: 'T' }));

describeDatabases('the sender of webhooks', (database) => {
  /** A sender whose receivers at `hang` never respond, and whose other receivers respond with the status in their path. */
  async function start() {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    const running = new Map<string, number>();
    const requests: string[] = [];
    const types: string[] = [];
    let most = 0;
    const released = Promise.withResolvers<void>();
    const send: SendRequest = async (url, { body }) => {
      const [, host = '', path] = /^https:\/\/(.+)\.example\/(.+)$/.exec(url) ?? [];
      requests.push(host);
      types.push(JSON.parse(body).type);
      running.set(host, (running.get(host) ?? 0) + 1);
      most = Math.max(most, running.get(host) ?? 0);
      if (path !== 'hang') return { status: Number(path), text: '' };
      await released.promise;
      return { status: 500, text: '' };
    };
    const report = (message: string) => console.warn(message);
    const sender = new WebhookSender({ outbox: store.outbox, send, clock: { now: Date.now }, report });
    /** Creates a blog with webhooks of its own host. */
    const addBlog = async (paths: readonly string[]) => {
      const id = crypto.randomUUID();
      await store.createBlog({ id, name: 'B', domains: [] });
      for (const [index, path] of paths.entries()) {
        const url = `https://${id}.example/${path}`;
        await store.addHook(id, { id: `h${index}`, url, types: TYPES, secret: 'whsec_c2VjcmV0' }, Date.now());
      }
      return id;
    };
    const change = (id: string, count: number) => store.putBlog({ id, name: 'B', posts: posts(count) }, Date.now());
    const stop = () => {
      const stopped = sender.stop();
      released.resolve();
      return stopped;
    };
    const sentTo = (id: string) => requests.filter((host) => host === id).length;
    return { store, sender, addBlog, change, stop, sentTo, types, mostOf: () => most };
  }

  test('receivers that hang do not delay the webhooks of other blogs', async () => {
    const { store, sender, addBlog, change, stop, sentTo, mostOf } = await start();
    const slow: string[] = [];
    for (let index = 0; index < 10; index += 1) slow.push(await addBlog(['hang', 'hang', 'hang']));
    for (const id of slow) await change(id, 20);
    const fast = await addBlog(['204']);
    sender.start();
    onTestFinished(stop);
    await vi.waitUntil(() => slow.every((id) => sentTo(id) > 0), WAIT);
    await change(fast, 3);
    await vi.waitUntil(() => sentTo(fast) === 3, WAIT);
    expect(mostOf()).toBe(8);
    await stop();
    for (const id of slow) await store.deleteBlog(id);
  });

  test('after 410, no other message is sent', async () => {
    const { store, sender, addBlog, change, stop, sentTo } = await start();
    const id = await addBlog(['410']);
    await change(id, 30);
    sender.start();
    onTestFinished(stop);
    await vi.waitUntil(async () => (await store.listHooks(id))[0]?.pending === 0, WAIT);
    await stop();
    // Only the messages that were already in flight.
    expect(sentTo(id)).toBeLessThanOrEqual(4);
  });

  test('a test is sent once, before all waiting messages, and delays none of them', async () => {
    const { store, sender, addBlog, change, stop, types } = await start();
    const other = await addBlog(['500', '500']);
    await change(other, 40);
    const id = await addBlog(['500']);
    await change(id, 40);
    await store.testHook(id, 'h0');
    sender.start();
    onTestFinished(stop);
    await vi.waitUntil(() => types.length > 120, WAIT);
    expect([types[0], types.filter((type) => type === 'ping').length]).toEqual(['ping', 1]);
    const ping = (await store.listHookMessages(id, 100)).find(({ event }) => event.type === 'ping');
    expect(ping).toMatchObject({ nextAt: null, attempts: [{ status: 500 }] });
    const data = { id: null, slug: null, tags: [], revision: expect.any(String) };
    expect(ping?.event.data).toEqual(data);
  });
});
