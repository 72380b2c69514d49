import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ErrorEnvelope, validate } from '@broadsheet/contract/schemas';
import { IMAGE_LIMITS } from '@broadsheet/core';
import { widgetVersion } from '@broadsheet/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { png } from '../../../tools/testing/images.ts';
import { openSite } from '../../../tools/testing/site.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { serveMemory } from '../../http/test/serve-memory.ts';
import { formToken } from '../../panel/src/access/visit.ts';
import { FORM_BYTES, formBytes, IMPORT_BYTES } from '../../panel/src/app.ts';
import { MANAGER, NEWS, startPanel } from '../../panel/test/panel-server.ts';
import { createClient } from '../../sdk/src/index.ts';
import { broadsheet, serve } from './broadsheet.ts';
import { adCounts } from './events.ts';
import { nginx, sendFrom, startNginx } from './nginx.ts';

const MEBIBYTE = 1024 * 1024;
const BATCH = { method: 'POST', body: '{"slots":[{"slotId":"a","format":"BANNER"}]}' };

async function proxy(ports: readonly [number, number, number]): Promise<string> {
  const started = await startNginx(temporaryFolder().path, ports);
  onTestFinished(() => started.stop());
  return started.url;
}

/** A process that counts its requests, except for those without an effect. A broken process does not respond. */
async function upstream(broken: boolean) {
  let requests = 0;
  const site = await openSite((incoming, outgoing) => {
    if (!incoming.url?.endsWith('/tracking/impression')) requests += 1;
    incoming.resume().on('end', () => (broken ? incoming.socket.destroy() : outgoing.end('fine')));
  });
  onTestFinished(() => site.close());
  return { port: Number(new URL(site.url).port), requests: () => requests };
}

/** A port on which nothing listens. A port that was free a moment ago may belong to another test now. */
const CLOSED_PORT = 1;

describe.skipIf(!nginx)('deploy/nginx', () => {
  it('nginx retries a read on another process, but never a request that counts', async () => {
    const [good, bad] = [await upstream(false), await upstream(true)];
    const url = await proxy([bad.port, bad.port, good.port]);
    const seen = () => good.requests() + bad.requests();
    for (const [path, init] of [
      ['/public/ads/formats/BANNER', {}],
      ['/public/ads/formats', BATCH],
      ['/public/ads/tracking/click', { method: 'POST', body: '{}' }],
    ] as const) {
      let [broken, before] = [0, seen()];
      // nginx avoids a broken process for a moment, so the test polls until nginx tries it again.
      await expect
        .poll(async () => {
          const response = await fetch(url + path, init);
          expect(seen() - before, path).toBe(1);
          before = seen();
          if (response.status === 503) {
            broken += 1;
            // The process may have counted the request, so clients must not retry it.
            expect(await response.json(), path).toMatchObject({ error: { code: 'UNAVAILABLE', retryable: false } });
            expect(response.headers.get('retry-after')).toBeNull();
          }
          return broken;
        })
        .toBeGreaterThan(1);
    }
    const broken = bad.requests();
    await expect
      .poll(async () => {
        expect((await fetch(`${url}/public/posts`)).status).toBe(200);
        return bad.requests();
      })
      .toBeGreaterThan(broken);
  });

  it('a delivery that reached no process is reported as retryable', async () => {
    const url = await proxy([CLOSED_PORT, CLOSED_PORT, CLOSED_PORT]);
    const response = await fetch(`${url}/public/ads/formats/BANNER`);
    expect(await response.json()).toMatchObject({ error: { code: 'UNAVAILABLE', retryable: true } });
    expect(response.headers.get('retry-after')).toBe('1');
  });

  it('one SDK call counts at most one impression when responses are lost', async () => {
    const bad = await upstream(true);
    const url = await proxy([bad.port, bad.port, bad.port]);
    const blog = createClient({ baseUrl: url, apiKey: 'key', retry: { sleep: async () => {} } });
    expect(await blog.ads.deliver('BANNER').safe()).toMatchObject({ ok: false, error: { attempts: [{}] } });
    const slots = [{ slotId: 'a', format: 'BANNER' as const }];
    expect(await blog.ads.deliverBatch(slots).safe()).toMatchObject({ ok: false, error: { attempts: [{}] } });
    expect(bad.requests()).toBe(2);
  });

  it('nginx skips stopped processes for every kind of request', async () => {
    const good = await upstream(false);
    const url = await proxy([CLOSED_PORT, good.port, CLOSED_PORT]);
    for (let turn = 0; turn < 20; turn += 1) {
      expect((await fetch(`${url}/public/ads/formats/BANNER`)).status).toBe(200);
      expect((await fetch(`${url}/public/ads/formats`, BATCH)).status).toBe(200);
      expect((await fetch(`${url}/public/posts`)).status).toBe(200);
    }
    expect(good.requests()).toBe(60);
  });

  it("nginx passes on the widget's files with their encoding, ETag and Cache-Control", async () => {
    const { server } = await serveMemory();
    const port = Number(new URL(server.url).port);
    const url = await proxy([port, port, port]);
    const folder = `/broadsheet/${await widgetVersion()}/broadsheet`;
    for (const path of [`${folder}.js`, `${folder}.css`]) {
      const [direct, through] = await Promise.all(
        [server.url, url].map(async (from) => {
          const sent = request(from + path, { headers: { 'accept-encoding': 'gzip, deflate, br' } }).end();
          const [response]: IncomingMessage[] = await once(sent, 'response');
          response?.resume();
          return response?.headers;
        }),
      );
      expect(through).toMatchObject({
        'content-encoding': 'br',
        'content-length': direct?.['content-length'],
        etag: direct?.etag,
        vary: 'Accept-Encoding',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const known = await fetch(url + path, {
        headers: { 'accept-encoding': 'br', 'if-none-match': through?.etag ?? '' },
      });
      expect(known.status).toBe(304);
    }
  });

  it('nginx responds with the error envelope when no process is running', async () => {
    const url = await proxy([CLOSED_PORT, CLOSED_PORT, CLOSED_PORT]);
    for (const path of ['/public/posts', '/public/ads/formats/BANNER']) {
      const response = await fetch(url + path);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
      const body: unknown = await response.json();
      expect(validate(ErrorEnvelope, body)).toMatchObject({ ok: true, value: { error: { code: 'UNAVAILABLE' } } });
      const { docs } = (body as ErrorEnvelope).error;
      const page = await fetch(docs);
      expect([docs, page.status]).toEqual([`${url}/errors/UNAVAILABLE`, 200]);
      expect(await page.text()).toContain('<h1><code>UNAVAILABLE</code></h1>');
    }
  });

  it('nginx responds to a browser with a page when no process is running, except below /public', async () => {
    const url = await proxy([CLOSED_PORT, CLOSED_PORT, CLOSED_PORT]);
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const [path, type] of [
      ['/', 'text/html'],
      ['/docs/', 'text/html'],
      ['/panel', 'text/html'],
      ['/public/posts', 'application/json'],
    ]) {
      const response = await fetch(url + path, { headers });
      const { status, headers: sent } = response;
      expect([path, status, sent.get('content-type'), sent.get('retry-after')]).toEqual([path, 503, type, '1']);
    }
  });

  it('nginx accepts bodies as large as the server does, and large ones only for management', async () => {
    const good = await upstream(false);
    const url = await proxy([good.port, good.port, good.port]);
    const send = async (path: string, bytes: number) =>
      (await fetch(url + path, { method: 'POST', body: new Uint8Array(bytes) })).status;
    expect(await send('/panel/news/import', IMPORT_BYTES)).toBe(200);
    expect(await send('/panel/news/ads.add', formBytes('/panel/news/ads.add'))).toBe(200);
    expect(await send('/panel/news/blogs.rename', FORM_BYTES)).toBe(200);
    expect(await send('/manage/blogs/news/media.add', 16 * MEBIBYTE)).toBe(200);
    for (const path of ['/public/ads/formats', '/preview/post', '/report/token']) {
      expect(await send(path, 3 * MEBIBYTE), path).toBe(413);
    }
  });

  it('a server is managed through nginx, whose logs contain no token', async () => {
    const folder = temporaryFolder();
    const database = ['--database', `sqlite:${folder.join('test.db')}`];
    const on = { cwd: await folder.write({ 'ad.png': png(2, 2, IMAGE_LIMITS.bytes) }) };
    const server = await serve(database, { ...on, env: { TRUST_PROXY: '1' } });
    onTestFinished(async () => void (await server.stop()));
    const json = async (args: readonly string[], env = {}) => {
      const { code, stdout, stderr } = await broadsheet([...args, '--json'], { ...on, env });
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    };
    await json(['blogs', 'create', 'news', ...database]);
    const { token } = await json(['tokens', 'create', 'desk', '--scope', 'all', ...database]);
    const port = Number(new URL(server.url).port);
    const started = await startNginx(folder.path, [port, port, port], { accessLog: 'access.log' });
    onTestFinished(() => started.stop());
    const remote = (...args: string[]) => json([...args, '--database', started.url], { BROADSHEET_ADMIN_TOKEN: token });

    const { imageUrl } = await remote('ads', 'add', 'news', '--format', 'BANNER', '--image', 'ad.png');
    expect(new URL(imageUrl).origin).toBe(started.url);
    expect((await (await fetch(imageUrl)).bytes()).length).toBe(IMAGE_LIMITS.bytes);
    await folder.write({ 'posts/soon.md': '---\ntitle: Soon\ndraft: true\n---\nText.\n' });
    await remote('import', 'posts', '--blog', 'news');
    const { posts } = await remote('posts', 'list', 'news');
    const link = await remote('posts', 'preview', 'news', posts[0].id, '--url', 'https://site.example/preview');
    const preview = new URL(link.url).searchParams.get('token') ?? '';
    const read = (Authorization: string) => fetch(`${started.url}/preview/post`, { headers: { Authorization } });
    expect((await read(`Bearer ${preview}`)).status).toBe(200);
    expect((await read(`Bearer ${preview}x`)).status).toBe(401);
    await server.stop();
    expect((await read(`Bearer ${preview}`)).status).toBe(503);
    const log = (name: string) => readFile(folder.join(name), 'utf8');
    // nginx writes its logs after it has responded.
    await expect.poll(() => log('access.log')).toContain('/preview/post HTTP/1.1" 503');
    const [access, errors] = await Promise.all(['access.log', 'error.log'].map(log));
    expect([access, errors]).toEqual([expect.stringContaining('/manage'), expect.stringContaining('/preview/post')]);
    for (const secret of [token, preview]) expect(`${access}${errors}${server.said()}`).not.toContain(secret);
  });

  it('nginx forwards the host with its port, so that the panel accepts its own forms', async () => {
    const panel = await startPanel(`sqlite:${temporaryFolder().join('panel.db')}`);
    onTestFinished(() => panel.close());
    await panel.store.importBlogs([NEWS], Date.now());
    const session = await panel.session(MANAGER);
    const port = Number(new URL(panel.url).port);
    const url = await proxy([port, port, port]);
    const path = '/panel/news/blogs.rename';
    const rename = (origin: string) =>
      fetch(url + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: origin, Cookie: `broadsheet-panel=${session}` },
        body: new URLSearchParams({ name: 'Renamed', token: formToken(session, path) }),
      });
    expect((await rename(url)).status).toBe(303);
    expect((await rename('http://127.0.0.1')).status).toBe(403);
  });

  it('nginx sends a host to the process if the client sends none', async () => {
    const hosts: (string | undefined)[] = [];
    const site = await openSite(({ headers }, outgoing) => {
      hosts.push(headers.host);
      outgoing.end();
    });
    onTestFinished(() => site.close());
    const port = Number(new URL(site.url).port);
    const { hostname, port: own } = new URL(await proxy([port, port, port]));
    const socket = connect(Number(own), hostname);
    socket.write('GET /public/posts HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/);
    expect(hosts).toEqual(['blog.example']);
  });

  it.each(['/panel/sign-in?token=secret', '/report/secret'])('nginx never logs %s', async (path) => {
    const good = await upstream(false);
    const folder = temporaryFolder();
    const started = await startNginx(folder.path, [good.port, good.port, good.port], { accessLog: 'access.log' });
    onTestFinished(() => started.stop());
    const broken = await startNginx(temporaryFolder().path, [CLOSED_PORT, CLOSED_PORT, CLOSED_PORT], {
      accessLog: join(folder.path, 'away.log'),
    });
    onTestFinished(() => broken.stop());
    expect((await fetch(started.url + path)).status).toBe(200);
    expect((await fetch(broken.url + path)).status).toBe(503);
    for (let status = 200, sent = 0; status !== 429 && sent < 5000; sent += 50) {
      const responses = await Promise.all(
        Array.from({ length: 50 }, () =>
          sendFrom('127.0.0.4', started.url + path, { headers: { Accept: 'text/html' } }),
        ),
      );
      status = Math.max(...responses.map((response) => response.status));
      const limited = responses.find((response) => response.status === 429);
      if (limited) expect(limited.headers['content-type']).toContain('text/html');
    }
    expect((await fetch(`${started.url}/panel/other`)).status).toBe(200);
    expect((await fetch(`${broken.url}/panel/other`)).status).toBe(503);
    const read = (name: string) => readFile(join(folder.path, name), 'utf8');
    // nginx writes its logs after it has responded.
    for (const name of ['access.log', 'away.log']) await expect.poll(() => read(name)).toContain('/panel/other');
    const [log, awayLog, errorLog] = await Promise.all(['access.log', 'away.log', 'error.log'].map(read));
    expect(`${log}${awayLog}${errorLog}`).not.toContain('secret');
  });

  it.each([
    ['/public/posts', '127.0.0.2'],
    ['/public/ads/formats/BANNER', '127.0.0.3'],
    ['/preview/post', '127.0.0.5'],
    ['/manage', '127.0.0.6'],
  ])('nginx limits the requests of one IP address to %s without affecting others', async (path, address) => {
    const good = await upstream(false);
    const url = await proxy([good.port, good.port, good.port]);
    const refused = [];
    for (let sent = 0; refused.length < 100 && sent < 5000; sent += 50) {
      const responses = Array.from({ length: 50 }, () => sendFrom(address, url + path));
      refused.push(...(await Promise.all(responses)).filter(({ status }) => status !== 200));
    }
    expect(refused.length).toBeGreaterThanOrEqual(100);
    for (const { status, headers, body } of refused) {
      expect([status, headers['retry-after']]).toEqual([429, '1']);
      expect(validate(ErrorEnvelope, JSON.parse(body))).toMatchObject({ value: { error: { code: 'RATE_LIMITED' } } });
    }
    expect((await sendFrom('127.0.0.7', url + path)).status).toBe(200);
  });

  it('a malformed request gets the error envelope, and a path beside the endpoints of ads is not redirected', async () => {
    const good = await upstream(false);
    const url = await proxy([good.port, good.port, good.port]);
    for (const path of ['/public/posts/%zz', '/public/posts/%', '/public/ads/formats/%00', '/panel/%zz']) {
      const { status, body } = await sendFrom('127.0.0.1', url, { path });
      expect([path, status]).toEqual([path, 400]);
      expect(validate(ErrorEnvelope, JSON.parse(body))).toMatchObject({
        value: { error: { code: 'VALIDATION_ERROR' } },
      });
    }
    expect((await fetch(`${url}/public/ads`, { redirect: 'manual' })).status).toBe(200);
  });

  it('a request that is too large gets the error envelope, or a page in a browser', async () => {
    const good = await upstream(false);
    const url = await proxy([good.port, good.port, good.port]);
    const large = { method: 'POST', body: new Uint8Array(21 * MEBIBYTE) };
    const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
      ...['/public/ads/formats', '/measure/viewable', '/preview/post', '/manage/blogs/a/media.add'].map(
        (path) => [path, large] as const,
      ),
      ...['/public/search?q=', '/docs/?', '/public/ads/formats/'].map((path) => [path + 'x'.repeat(9000)] as const),
      ['/public/posts', { headers: { 'X-API-Key': 'x'.repeat(9000) } }],
    ];
    for (const [path, init] of requests) {
      const response = await fetch(url + path, init);
      expect([path.slice(0, 20), response.status, response.headers.get('access-control-allow-origin')]).toEqual([
        path.slice(0, 20),
        413,
        '*',
      ]);
      const body: unknown = await response.json();
      expect(validate(ErrorEnvelope, body)).toMatchObject({ value: { error: { code: 'PAYLOAD_TOO_LARGE' } } });
    }
    const page = await fetch(`${url}/panel/news/blogs.rename`, { ...large, headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([413, 'text/html']);
    expect(await page.text()).toContain('<h1>Too large</h1>');
  });

  it("readers with IPv4 and with IPv6 reach the blog, also beside Debian's default site", async () => {
    const good = await upstream(false);
    const processes = [good.port, good.port, good.port] as const;
    const started = await startNginx(temporaryFolder().path, processes, { beside: 'debian-default' });
    onTestFinished(() => started.stop());
    const { port } = new URL(started.url);
    const read = async (address: string, host: string) =>
      (
        await sendFrom(address, `http://${address.includes(':') ? `[${address}]` : address}:${port}/`, {
          headers: { host },
        })
      ).body;
    for (const address of ['127.0.0.1', '::1']) {
      expect([address, await read(address, 'blog.example')]).toEqual([address, 'fine']);
      expect([address, await read(address, 'other.example')]).toEqual([address, 'Welcome to nginx!']);
    }
  });

  it('nginx limits the first 64 bits of an IPv6 address together', async () => {
    const good = await upstream(false);
    const folder = temporaryFolder().path;
    const started = await startNginx(folder, [good.port, good.port, good.port], {
      edit: (site) =>
        site
          .replace('rate=100r/s', 'rate=1r/m')
          .replace('burst=200', 'burst=2')
          .replace('server_name', 'set_real_ip_from 127.0.0.1; real_ip_header X-Test-Address; server_name'),
    });
    onTestFinished(() => started.stop());
    const read = async (address: string) =>
      (await fetch(`${started.url}/public/posts`, { headers: { 'X-Test-Address': address } })).status;
    const statuses = [];
    for (let host = 1; host <= 5; host += 1) statuses.push(await read(`2001:db8:0:1::${host}`));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect([await read('2001:db8:0:2::1'), await read('198.51.100.1'), await read('198.51.100.2')]).toEqual([
      ...[200, 200, 200],
    ]);
  });
});

describe.skipIf(!nginx)('three processes behind nginx', () => {
  describeDatabases('', (database) => {
    it('three processes see the real IPs and origins, and two of them continue when the third is killed', async () => {
      const blog = { ...TEST_BLOG, domains: ['news.example'] };
      const databaseUrl = await database.another();
      await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [blog] }));
      const start = () =>
        serve(['--import', 'blog.json', '--database', databaseUrl], {
          cwd: database.cwd,
          env: { TRUST_PROXY: '1', PUBLIC_URL: 'https://blog.example' },
        });
      const servers = await Promise.all([start(), start(), start()]);
      onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))));
      const [first, second, third] = servers.map((server) => Number(new URL(server.url).port));
      const url = await proxy([first ?? 0, second ?? 0, third ?? 0]);
      const headers = { 'X-API-Key': 'test-key', 'Content-Type': 'application/json', Origin: 'https://news.example' };
      const deliver = () => fetch(`${url}/public/ads/formats/BANNER`, { headers });

      const click = async (more: Record<string, string>, localAddress = '127.0.0.1') => {
        const { clickToken } = (await (await deliver()).json()) as { clickToken: string };
        const sent = request(`${url}/public/ads/tracking/click`, {
          method: 'POST',
          localAddress,
          headers: { ...headers, ...more },
        }).end(JSON.stringify({ clickToken }));
        const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
        response.resume();
        return response.statusCode;
      };
      expect(await click({ Origin: 'https://elsewhere.example' })).toBe(403);
      // A forged IP address does not make a second visitor; another real one does.
      expect(await click({ 'X-Forwarded-For': '198.51.100.1' })).toBe(200);
      expect(await click({ 'X-Forwarded-For': '198.51.100.2' })).toBe(200);
      expect(await click({}, '127.0.0.2')).toBe(200);
      expect(await adCounts('news', databaseUrl, database)).toEqual({ impressions: 4, clicks: 2 });

      const refused = await fetch(`${url}/public/posts`);
      expect(await refused.json()).toMatchObject({ error: { docs: 'https://blog.example/errors/UNAUTHORIZED' } });

      const statuses: number[] = [];
      const load = Array.from({ length: 8 }, async () => {
        for (let turn = 0; turn < 20; turn += 1) {
          const response = await deliver();
          await response.arrayBuffer();
          statuses.push(response.status);
        }
      });
      await expect.poll(() => statuses.length).toBeGreaterThan(40);
      await servers[0]?.stop('SIGKILL');
      await Promise.all(load);
      const counted = (await adCounts('news', databaseUrl, database)).impressions - 4;
      const acknowledged = statuses.filter((status) => status === 200).length;
      // Requests in flight at the killed process may have been counted, and were not retried.
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect(statuses.length - acknowledged).toBeLessThanOrEqual(8);
      expect(counted).toBeGreaterThanOrEqual(acknowledged);
      expect(counted).toBeLessThanOrEqual(statuses.length);
    });
  });
});
