import { openStore } from '@broadsheet/store/node';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { betweenPostgres } from '../../../tools/testing/postgres-proxy.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import { openSite } from '../../../tools/testing/site.ts';
import { serve } from './broadsheet.ts';
import { command } from './command.ts';
import { serveInProcess } from './in-process.ts';
import { about, openReceiver } from './webhook-receiver.ts';

const WAIT = { timeout: 20_000, interval: 10 };
const POSTS = ['a', 'b', 'c', 'd'];
const SECOND = 1000;

it('the server that the command starts sends nothing to a private address unless this is allowed', async () => {
  const cwd = temporaryFolder().path;
  let requests = 0;
  await using site = await openSite((_, response) => {
    requests += 1;
    response.writeHead(204).end();
  });
  const run = (...args: string[]) => command([...args, '--database', 'sqlite:b.db'], { cwd });
  await run('blogs', 'create', 'news');
  const { id } = JSON.parse((await run('hooks', 'add', 'news', site.url, '--json')).stdout);
  const test = async (env: Readonly<Record<string, string>>) => {
    const server = await serve(['--database', 'sqlite:b.db'], { cwd, env });
    onTestFinished(async () => void (await server.stop()));
    const { stdout, stderr } = await run('hooks', 'test', 'news', id);
    await server.stop();
    return stdout + stderr;
  };
  expect(await test({})).toMatch(/ms: 127\.0\.0\.1 is not a public address/);
  expect(requests).toBe(0);
  expect(await test({ ALLOW_PRIVATE_WEBHOOKS: '1' })).toMatch(/^The receiver responded with 204/);
  expect((await run('hooks', 'test', 'news', id)).stderr).toMatch(/No process sends webhooks: is "broadsheet serve"/);
});

describeDatabases('webhooks', (database) => {
  async function start(count: number) {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    const [id, apiKey] = [crypto.randomUUID(), crypto.randomUUID()];
    const posts = POSTS.map((post) => ({ id: post, slug: post, title: '0' }));
    await store.putBlog({ id, name: 'B', apiKeys: [apiKey], posts }, Date.now());
    const receiver = await openReceiver(apiKey);
    // The clock stands still, so that nothing is retried before the test moves it.
    const time = { now: Date.now() };
    const servers: { stop(): Promise<void> }[] = [];
    const addServer = async (url = database.url) => {
      const server = await serveInProcess(url, { allowPrivateWebhooks: true, clock: { now: () => time.now } });
      let stopped: Promise<void> | undefined;
      const stop = () => (stopped ??= server.stop());
      onTestFinished(stop);
      receiver.servers.push(server);
      servers.push({ stop });
    };
    for (let index = 0; index < count; index += 1) await addServer();
    const change = (title: number) =>
      store.putBlog({ id, name: 'B', posts: posts.map((post) => ({ ...post, title: String(title) })) }, time.now);
    const hooks = async (...args: string[]) =>
      JSON.parse((await command(['hooks', ...args, '--database', database.url, '--json'], database)).stdout);
    const added = await hooks('add', id, receiver.site.url, '--events', 'post.updated');
    receiver.secret = added.secret;
    return { id, apiKey, store, time, receiver, servers, change, hooks, addServer, hook: added.id as string };
  }

  it('three servers, two of which stop, lose nothing, keep the order and report only changes that all of them show', async () => {
    const { receiver, servers, change } = await start(3);
    const CHANGES = 3;
    for (let title = 1; title <= CHANGES; title += 1) {
      await change(title);
      await vi.waitUntil(() => receiver.received.length > (title - 1) * POSTS.length, WAIT);
      if (title === CHANGES) break;
      receiver.servers.shift();
      await servers.shift()?.stop();
    }
    await vi.waitUntil(() => receiver.received.length >= CHANGES * POSTS.length, WAIT);
    for (const post of POSTS) {
      const events = receiver.received.filter((each) => each.post === post);
      expect(new Set(events.map(({ messageId }) => messageId)).size).toBe(CHANGES);
      for (const [index, { shown }] of events.entries()) expect(shown).toBeGreaterThan(index);
    }
  });

  it('after a failure, a receiver gets the same message again, or at once a newer one about the same post', async () => {
    const { id, store, time, receiver, change } = await start(1);
    receiver.responses.push(500, 302, 404, 'cut');
    await change(1);
    const messages = () => store.listHookMessages(id, 2 * POSTS.length);
    await vi.waitUntil(async () => (await messages()).every(({ attempts }) => attempts.length === 1), WAIT);
    const failed = await messages();
    expect(failed.map(({ nextAt }) => nextAt)).toEqual(POSTS.map(() => time.now + 5 * SECOND));
    expect(failed.map(({ attempts }) => attempts[0]?.status ?? 0).sort()).toEqual([0, 302, 404, 500]);
    expect(failed.map(({ attempts }) => attempts[0]?.text)).toContain('not now');
    time.now += 5 * SECOND;
    await vi.waitUntil(async () => (await messages()).every(({ nextAt }) => nextAt === null), WAIT);
    const first = failed.map((message) => message.id);
    expect(receiver.received.map(({ messageId }) => messageId).sort()).toEqual(first.sort());

    receiver.responses.push(...POSTS.map(() => 500));
    await change(2);
    await vi.waitUntil(async () => (await messages()).every(({ attempts }) => attempts.length > 0), WAIT);
    await change(3);
    await vi.waitUntil(() => receiver.received.length === 2 * POSTS.length, WAIT);
    for (const post of POSTS) expect(about(receiver.received, post).map(({ shown }) => shown)).toEqual([1, 3]);
    await vi.waitUntil(async () => (await messages()).every(({ nextAt }) => nextAt === null), WAIT);
  });

  it.skipIf(!inject('postgres') || database.kind !== 'PostgreSQL')(
    'a change is not reported while a process that gets no notifications may still show the old state',
    async () => {
      const { apiKey, receiver, change, addServer } = await start(2);
      let [isHeld, notified] = [false, 0];
      const passes = (type: string) => {
        if (type === 'A') notified += 1;
        return type !== 'A' || !isHeld;
      };
      await addServer(await betweenPostgres(database.url, { passes }));
      const url = `${receiver.servers[2]?.url}/public/posts/a`;
      const read = () => fetch(url, { headers: { 'X-API-Key': apiKey } });
      // After its heartbeat has come back, a process trusts what it has cached.
      await read();
      await vi.waitUntil(() => notified > 2, WAIT);
      await read();
      const before = notified;
      await vi.waitUntil(() => notified > before, WAIT);
      isHeld = true;
      await change(1);
      await vi.waitUntil(() => receiver.received.length === POSTS.length, WAIT);
      expect(receiver.received.map(({ shown }) => shown)).toEqual(POSTS.map(() => 1));
    },
  );

  it('a test shows the response, and a rotation signs with both secrets', async () => {
    const { id, receiver, hooks, hook } = await start(1);
    const { secret } = await hooks('rotate', id, hook);
    expect(await hooks('test', id, hook)).toMatchObject({ status: 204 });
    receiver.secret = secret;
    expect(await hooks('test', id, hook)).toMatchObject({ status: 204 });
    expect(receiver.received.map(({ type }) => type)).toEqual(['ping', 'ping']);
    const listed = JSON.stringify(await hooks('list', id));
    expect(listed).toContain(receiver.site.url);
    expect(listed).not.toContain('whsec_');
  });

  it.skipIf(!inject('postgres') || database.kind !== 'PostgreSQL')(
    'changes arrive even if all connections to the database are cut repeatedly',
    async () => {
      const { receiver, change } = await start(2);
      const CHANGES = 3;
      const cut = `select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and datname = current_database()`;
      for (let title = 1; title <= CHANGES; title += 1) {
        await vi.waitFor(() => change(title), WAIT);
        await queryPostgres(database.url, cut);
      }
      const isNewest = (post: string) => about(receiver.received, post).at(-1)?.shown === CHANGES;
      await vi.waitUntil(() => POSTS.every(isNewest), WAIT);
    },
  );
});
