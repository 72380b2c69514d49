import { once } from 'node:events';
import { request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { createServer } from '@broadsheet/http';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { MANAGER, NEWS } from '../../panel/test/panel-server.ts';
import { createOperators, type Operators } from '../src/operators/operators.ts';
import { OperatorsThread } from '../src/operators/thread.ts';

describe('the thread of the panel', { shuffle: false }, () => {
  const folder = temporaryFolder();
  let store: SqlStore;
  let operators: Operators;
  let cookie = '';
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie, origin: 'http://panel.test', host: 'panel.test' };
    const request = new Request(`http://panel.test${path}`, { headers, ...init });
    const response = await operators.extraRoutes(request, { ip: undefined });
    if (!response) throw new Error(`The panel passed ${path} on.`);
    return response;
  };
  beforeAll(async () => {
    store = await openStore(`sqlite:${folder.join('panel.db')}`);
    await store.importBlogs([NEWS], Date.now());
    await store.invitePerson(MANAGER, 'link', Date.now());
    // The only members of this store that the panel may use.
    const { databaseUrl, hasPeople } = store;
    operators = createOperators({ store: { databaseUrl, hasPeople } as SqlStore });
  });
  afterAll(async () => {
    await operators?.close();
    await store?.close();
  });

  it('uses its own store, and asks the store of the API only whether there are people', async () => {
    const signedIn = await ask('/panel/sign-in', { method: 'POST', body: new URLSearchParams({ invitation: 'link' }) });
    expect(signedIn.status).toBe(303);
    cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await ask('/panel/news/posts');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('Out already');
    expect((await ask('/panel/news/nothing')).status).toBe(404);
    expect((await ask('/panel/assets/panel.css', { method: 'HEAD' })).body).toBeNull();
  });

  it('streams a snapshot of the whole blog', async () => {
    const response = await ask('/panel/news/snapshot.json');
    expect(response.headers.get('content-disposition')).toContain('filename="news.json"');
    expect(await response.json()).toEqual({ blogs: [await store.exportBlog('news')] });
  });

  it('sees at once what another store wrote', async () => {
    await store.renameBlog('news', 'Renamed');
    expect(await (await ask('/panel/news/settings')).text()).toContain('Renamed');
    await store.revokePerson(MANAGER.name, Date.now(), true);
    await store.invitePerson({ ...MANAGER, name: 'Somebody else' }, 'other', Date.now());
    expect((await ask('/panel/news/settings')).status).toBe(401);
  });

  it('responds before it reads the body of a person who is not signed in, and cancels the body', async () => {
    for (const path of ['/panel/news/import', '/panel/news/settings', '/panel/nothing']) {
      const { promise: cancelled, resolve } = Promise.withResolvers<void>();
      let sent = 0;
      const endless = new ReadableStream({
        pull(controller) {
          sent += 1;
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel: () => resolve(),
      });
      const body = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
      const headers = { origin: 'http://panel.test', host: 'panel.test' };
      expect((await ask(path, { ...body, headers })).status).toBe(401);
      await cancelled;
      expect(sent).toBeLessThan(5);
    }
  });

  it('is restarted after it has ended', async () => {
    await operators.close();
    expect((await ask('/panel/sign-in?token=other')).status).toBe(200);
  });

  it('sends one Content-Type header', async () => {
    const server = await createServer({ store, port: 0, ...operators });
    try {
      const page = await fetch(`${server.url}/panel/sign-in?token=other`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    } finally {
      await server.close();
    }
  });

  it('still works after a TRACE request', async () => {
    const server = await createServer({ store, port: 0, ...operators });
    try {
      const { hostname, port } = new URL(server.url);
      for (let count = 0; count < 3; count += 1) {
        const trace = request({ host: hostname, port, path: '/panel', method: 'TRACE' }).end();
        const [response] = await once(trace, 'response');
        expect(response.statusCode).toBe(405);
        response.resume();
      }
      expect((await ask('/panel/sign-in?token=other')).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});

it('the time limit of the store holds in the thread: a write gives up before the lock is released', async () => {
  const path = temporaryFolder().join('locked.db');
  const store = await openStore(`sqlite:${path}`, { statementTimeout: 100 });
  const operators = createOperators({ store });
  onTestFinished(async () => {
    await operators.close();
    await store.close();
  });
  await store.importBlogs([NEWS], Date.now());
  const record = { name: 'ci', blogId: null, createdAt: '2026-01-01T00:00:00.000Z', expiresAt: null };
  await store.createToken({ ...record, scope: 'all' }, 'token');
  const run = () =>
    operators.extraRoutes(
      new Request('http://panel.test/manage/blogs/news/posts.unpublish', {
        method: 'POST',
        headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
        body: JSON.stringify({ post: 'p1' }),
      }),
      { ip: undefined },
    );
  // The thread is started, and its database is open.
  expect((await run())?.status).toBe(200);
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const unlock = setTimeout(() => other.close(), 6000);
  expect((await run())?.status).toBe(503);
  clearTimeout(unlock);
  other.close();
});

it('a thread that ends is restarted after a growing pause, and each restart is logged', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const logged: string[] = [];
    const log = { info: () => {}, error: (_: object, message: string) => logged.push(message) };
    const thread = new OperatorsThread({
      databaseUrl: '',
      script: new URL('data:text/javascript,process.exit(1)'),
      log,
    });
    const send = () => thread.fetch(new Request('http://panel.test/panel'));
    const ends = () => logged.filter((line) => line.includes('ended unexpectedly')).length;
    const ended = (times: number) => vi.waitUntil(() => ends() === times, 20_000);
    expect((await send()).status).toBe(503);
    await ended(1);
    for (const [index, pause] of [500, 1000, 2000].entries()) {
      const waiting = await send();
      expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([503, String(Math.ceil(pause / 1000))]);
      vi.advanceTimersByTime(pause);
      expect((await send()).status).toBe(503);
      await ended(index + 2);
    }
    expect(thread.restarts).toBe(3);
    expect(logged.filter((line) => line.includes('is restarted'))).toHaveLength(3);
    await thread.close();
  } finally {
    vi.useRealTimers();
  }
});

it('a thread learns that the client of a request is gone', async () => {
  const script = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ reply }) => {
      reply.on('close', () => parentPort.postMessage({ level: 'info', fields: {}, message: 'gone' }));
    });`;
  const gone = Promise.withResolvers<string>();
  const thread = new OperatorsThread({
    databaseUrl: '',
    script: new URL(`data:text/javascript,${encodeURIComponent(script)}`),
    log: { info: (_, message) => gone.resolve(message), error: () => {} },
  });
  onTestFinished(() => thread.close());
  const client = new AbortController();
  const response = thread.fetch(new Request('http://panel.test/panel', { signal: client.signal }));
  client.abort();
  expect((await response).status).toBe(503);
  expect(await gone.promise).toBe('gone');
});

describe('a thread in an endless loop', () => {
  const hanging = "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { for (;;); });";
  const script = new URL(`data:text/javascript,${encodeURIComponent(hanging)}`);
  const start = (patience: number) => {
    const logged: string[] = [];
    const log = { info: () => {}, error: (_: object, message: string) => logged.push(message) };
    const thread = new OperatorsThread({ databaseUrl: '', script, patience, log });
    return { thread, logged, response: thread.fetch(new Request('http://panel.test/panel')) };
  };

  it('is terminated, and its requests fail', async () => {
    const { response, logged } = start(50);
    expect((await response).status).toBe(503);
    await vi.waitUntil(() => logged.includes('the thread of the panel ended unexpectedly'), 20_000);
  });

  it('does not keep a server from stopping', async () => {
    const { response, thread } = start(60_000);
    await thread.close();
    expect((await response).status).toBe(503);
  });
});

it('a thread that does not close is terminated after three seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const deaf = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ reply }) => reply?.postMessage({ status: 204, headers: [] }));`;
  const script = new URL(`data:text/javascript,${encodeURIComponent(deaf)}`);
  const thread = new OperatorsThread({ databaseUrl: '', script });
  expect((await thread.fetch(new Request('http://panel.test/panel'))).status).toBe(204);
  let ended = false;
  const closed = thread.close().then(() => {
    ended = true;
  });
  vi.advanceTimersByTime(2999);
  await new Promise(setImmediate);
  expect(ended).toBe(false);
  vi.advanceTimersByTime(1);
  await closed;
});
