import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openStore } from '@broadsheet/store/node';
import { expect, it, onTestFinished, vi } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { freePort } from '../../../tools/testing/site.ts';
import { type ServerProcess, serve } from './broadsheet.ts';
import { command } from './command.ts';
import { about, openReceiver } from './webhook-receiver.ts';

const WAIT = { timeout: 60_000, interval: 20 };
const POSTS = ['a', 'b', 'c'];
const CHANGES = 6;

describeDatabases('webhooks of servers and receivers that are killed', (database) => {
  async function start(count: number) {
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    const [id, apiKey] = [crypto.randomUUID(), crypto.randomUUID()];
    const posts = POSTS.map((post) => ({ id: post, slug: post, title: '0' }));
    await store.putBlog({ id, name: 'B', apiKeys: [apiKey], posts }, Date.now());
    const servers: ServerProcess[] = [];
    for (let index = 0; index < count; index += 1) {
      const env = { ALLOW_PRIVATE_WEBHOOKS: '1' };
      const server = await serve(['--database', database.url], { cwd: database.cwd, env });
      onTestFinished(async () => void (await server.stop('SIGKILL')));
      servers.push(server);
    }
    const change = (title: number) =>
      store.putBlog({ id, name: 'B', posts: posts.map((post) => ({ ...post, title: String(title) })) }, Date.now());
    const addHook = async (url: string): Promise<{ secret: string }> => {
      const args = ['hooks', 'add', id, url, '--events', 'post.updated', '--json', '--database', database.url];
      return JSON.parse((await command(args, database)).stdout);
    };
    return { id, apiKey, store, servers, change, addHook };
  }

  it('three processes, two of which are killed, report the newest state, in order, and only changes that all of them show', async () => {
    const { apiKey, servers, change, addHook } = await start(3);
    const receiver = await openReceiver(apiKey);
    receiver.servers.push(...servers);
    receiver.secret = (await addHook(receiver.site.url)).secret;
    for (let title = 1; title <= CHANGES; title += 1) {
      const before = receiver.received.length;
      await change(title);
      const victim = title % 3 === 0 ? servers.shift() : undefined;
      if (!victim) continue;
      await vi.waitUntil(() => receiver.received.length > before, WAIT);
      receiver.servers.shift();
      await victim.stop('SIGKILL');
    }
    const isComplete = () => POSTS.every((post) => about(receiver.received, post).at(-1)?.shown === CHANGES);
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

  it('a message whose receiver is killed during the request arrives when the receiver runs again', async () => {
    const { id, store, change, addHook } = await start(1);
    const port = await freePort();
    await addHook(`http://127.0.0.1:${port}/`);
    const receive = async (respond: string) => {
      const program = `require('node:http').createServer((request, response) => {
        console.log(request.headers['webhook-id']);
        ${respond}
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
});
