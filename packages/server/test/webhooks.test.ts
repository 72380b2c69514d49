import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { betweenPostgres } from '../../../tools/testing/postgres-proxy.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import { bodyOf, freePort, openSite, type Site } from '../../../tools/testing/site.ts';
import { openStore } from '../../management/src/open-store.ts';
import { broadsheet, type RunOptions, type ServerProcess, serve } from './broadsheet.ts';

const WAIT = { timeout: 60_000, interval: 20 };
const POSTS = ['a', 'b', 'c'];
const CHANGES = 6;

interface Received {
  readonly messageId: string;
  readonly type: string;
  readonly post: string;
  /** The oldest title that one of the servers showed when the request arrived. */
  readonly shown: number;
}

interface Receiver {
  readonly site: Site;
  readonly received: Received[];
  readonly servers: ServerProcess[];
  /** Statuses of the next responses; 204 afterwards. */
  readonly statuses: number[];
  secret: string;
}

/** A receiver that verifies requests with the library of the standard, and requests the post from every server. */
async function openReceiver(apiKey: string): Promise<Receiver> {
  const servers: ServerProcess[] = [];
  const received: Received[] = [];
  const statuses: number[] = [];
  const titleOf = async ({ url }: ServerProcess, post: string) => {
    const answer = await fetch(`${url}/public/posts/${post}`, { headers: { 'X-API-Key': apiKey } }).catch(() => null);
    // A server that was killed shows nothing.
    return answer?.ok ? Number((await answer.json()).data.title) : Number.POSITIVE_INFINITY;
  };
  const site = await openSite(async (request, response) => {
    const body = await bodyOf(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const event = new Webhook(receiver.secret).verify(body, headers) as { type: string; data: { id: string } };
    const shown = Math.min(...(await Promise.all(servers.map((server) => titleOf(server, event.data.id)))));
    const status = statuses.shift() ?? 204;
    if (status < 300)
      received.push({ messageId: headers['webhook-id'] ?? '', type: event.type, post: event.data.id, shown });
    response.writeHead(status).end(status < 300 ? undefined : 'not now');
  });
  onTestFinished(() => site.close());
  const receiver: Receiver = { site, received, servers, statuses, secret: '' };
  return receiver;
}

/** The requests about a post, each message once. */
const about = (received: readonly Received[], post: string): Received[] => [
  ...new Map(received.filter((each) => each.post === post).map((each) => [each.messageId, each])).values(),
];

describeDatabases('webhooks', (database) => {
  async function start(count: number, env: RunOptions['env'] = {}) {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    const [id, apiKey] = [crypto.randomUUID(), crypto.randomUUID()];
    const posts = POSTS.map((post) => ({ id: post, slug: post, title: '0' }));
    await store.putBlog({ id, name: 'B', apiKeys: [apiKey], posts }, Date.now());
    const receiver = await openReceiver(apiKey);
    const addServer = async (url = database.url) => {
      const server = await serve(['--database', url], { ...database, env });
      onTestFinished(async () => void (await server.stop('SIGKILL')));
      receiver.servers.push(server);
    };
    for (let index = 0; index < count; index += 1) await addServer();
    const change = (title: number) =>
      store.putBlog({ id, name: 'B', posts: posts.map((post) => ({ ...post, title: String(title) })) }, Date.now());
    const hooks = async (...args: string[]) => {
      const { stdout, stderr } = await broadsheet(['hooks', ...args, '--database', database.url, '--json'], database);
      return stdout ? JSON.parse(stdout) : { stderr };
    };
    const added = await hooks('add', id, receiver.site.url, '--events', 'post.updated');
    receiver.secret = added.secret;
    return { id, apiKey, store, receiver, change, hooks, addServer, hook: added.id as string };
  }

  const ALLOWED = { ALLOW_PRIVATE_WEBHOOKS: '1' };

  it('three processes, two of which are killed, lose nothing, keep the order and report only what all show', {
    timeout: 180_000,
  }, async () => {
    const { receiver, change } = await start(3, ALLOWED);
    for (let title = 1; title <= CHANGES; title += 1) {
      await change(title);
      const [victim] = receiver.servers;
      if (title % 3 !== 0 || !victim) continue;
      await vi.waitUntil(() => receiver.received.length > title, WAIT);
      receiver.servers.shift();
      await victim.stop('SIGKILL');
    }
    const isComplete = () => POSTS.every((post) => about(receiver.received, post).length === CHANGES);
    await vi.waitUntil(isComplete, WAIT);
    for (const post of POSTS) {
      const events = about(receiver.received, post);
      for (const [index, { shown }] of events.entries()) expect(shown).toBeGreaterThan(index);
      // A message that arrived twice arrived before the next one.
      const ids = receiver.received.filter((each) => each.post === post).map(({ messageId }) => messageId);
      expect(ids.filter((messageId, index) => messageId !== ids[index - 1])).toEqual(
        events.map(({ messageId }) => messageId),
      );
    }
  });

  it('after a failure, a receiver gets the same message again, and later ones about the same post after it', {
    timeout: 120_000,
  }, async () => {
    const { id, store, receiver, change } = await start(1, ALLOWED);
    receiver.statuses.push(500, 302, 404);
    await change(1);
    await vi.waitUntil(() => receiver.statuses.length === 0, WAIT);
    await change(2);
    await vi.waitUntil(() => receiver.received.length === 6, WAIT);
    for (const post of POSTS) expect(about(receiver.received, post)).toHaveLength(2);
    const messages = await store.listHookMessages(id, 10);
    const first = messages.slice(-3).map(({ attempts }) => attempts.map(({ status, text }) => [status, text]));
    expect(
      first
        .flat()
        .map(([status]) => status)
        .sort(),
    ).toEqual([204, 204, 204, 302, 404, 500]);
    expect(first.flat()).toContainEqual([500, 'not now']);
  });

  it('a message whose receiver is killed during the request arrives when the receiver runs again', {
    timeout: 120_000,
  }, async () => {
    const { id, store, change, hooks } = await start(1, ALLOWED);
    const port = await freePort();
    await hooks('add', id, `http://127.0.0.1:${port}/`, '--events', 'post.updated');
    const receive = async (answer: string) => {
      const program = `require('node:http').createServer((request, response) => {
        console.log(request.headers['webhook-id']);
        ${answer}
      }).listen(${port}, '127.0.0.1', () => console.log('ready'))`;
      const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      const lines: string[] = [];
      createInterface(child.stdout).on('line', (line) => lines.push(line));
      await vi.waitUntil(() => lines.length > 0, WAIT);
      return { child, lines };
    };
    const first = await receive('');
    await change(1);
    await vi.waitUntil(() => first.lines.length === 1 + POSTS.length, WAIT);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await receive('response.writeHead(204).end();');
    await vi.waitUntil(() => second.lines.length === 1 + POSTS.length, WAIT);
    expect(second.lines.slice(1).sort()).toEqual(first.lines.slice(1).sort());
    const isRecorded = async () =>
      (await store.listHookMessages(id, 10)).filter(({ attempts }) => attempts.length === 2).length === POSTS.length;
    await vi.waitUntil(isRecorded, WAIT);
  });

  it.skipIf(!inject('postgres') || database.kind !== 'PostgreSQL')(
    'a change is not reported while a process that gets no notifications may still show the old state',
    { timeout: 120_000 },
    async () => {
      const { apiKey, receiver, change, addServer } = await start(2, ALLOWED);
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

  it('a test shows the response, and a rotation signs with both secrets', { timeout: 60_000 }, async () => {
    const { id, receiver, hooks, hook } = await start(1, ALLOWED);
    expect(await hooks('test', id, hook)).toMatchObject({ status: 204 });
    const { secret } = await hooks('rotate', id, hook);
    expect(await hooks('test', id, hook)).toMatchObject({ status: 204 });
    receiver.secret = secret;
    expect(await hooks('test', id, hook)).toMatchObject({ status: 204 });
    expect(receiver.received.map(({ post }) => post)).toEqual(['test', 'test', 'test']);
    const listed = JSON.stringify(await hooks('list', id));
    expect(listed).toContain(receiver.site.url);
    expect(listed).not.toContain('whsec_');
  });

  it('without permission, nothing is sent to a private address', { timeout: 60_000 }, async () => {
    const { id, receiver, hooks, hook } = await start(1);
    const { stderr } = await hooks('test', id, hook);
    expect(stderr).toMatch(/ms: 127\.0\.0\.1 is not a public address/);
    expect(receiver.received).toEqual([]);
  });

  it.skipIf(!inject('postgres') || database.kind !== 'PostgreSQL')(
    'changes arrive even if all connections to the database are cut repeatedly',
    { timeout: 120_000 },
    async () => {
      const { receiver, change } = await start(2, ALLOWED);
      const cut = `select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and datname = current_database()`;
      for (let title = 1; title <= CHANGES; title += 1) {
        await vi.waitFor(() => change(title), WAIT);
        await queryPostgres(database.url, cut);
      }
      await vi.waitUntil(() => POSTS.every((post) => about(receiver.received, post).length === CHANGES), WAIT);
    },
  );
});
