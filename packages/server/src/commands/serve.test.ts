import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { png } from '../../../../tools/testing/images.ts';
import { TEST_BLOG } from '../../../http/test/memory-server-store.ts';
import { serve } from '../../test/broadsheet.ts';

const folder = temporaryFolder();
let cwd: string;
beforeAll(async () => {
  cwd = folder.path;
  await writeFile(join(cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
});

describe('serve', () => {
  it('serve notes that images are not stored if the URL of the server is not known before the import', async () => {
    await folder.write({ 'posts/a.md': '---\ntitle: A\n---\n![](a.png)\n', 'posts/a.png': png(1, 1) });
    await folder.write({ 'plain/a.md': '---\ntitle: A\n---\nText.\n' });
    const said = async (source: string, env: Readonly<Record<string, string>> = {}) => {
      const server = await serve(['--import', source, '--database', 'sqlite::memory:'], { cwd, env });
      await server.stop();
      return server.said();
    };
    const [unknown, known, plain] = await Promise.all([
      said('posts'),
      said('posts', { PUBLIC_URL: 'https://blog.example' }),
      said('plain'),
    ]);
    expect(unknown).toMatch(/note: image files were not stored.*--port 0.*PUBLIC_URL/);
    expect(known).not.toContain('not stored');
    expect(plain).not.toContain('not stored');
  });

  it('serve prints one line, logs requests without their secrets, and exits with 0 on a signal', async () => {
    const secret = 'a secret of the operator, thirty-two characters and more';
    const server = await serve(['--import', 'blog.json', '--database', 'sqlite:log.db'], {
      cwd,
      env: { LOG_LEVEL: 'debug', BROADSHEET_SECRET: secret, TRUST_PROXY: '1', PUBLIC_URL: 'https://blog.example' },
    });
    let rest = '';
    let log = '';
    server.child.stdout?.on('data', (text) => (rest += text));
    server.child.stderr?.on('data', (text) => (log += text));
    const headers = { 'X-API-Key': 'test-key', 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' };
    const ids: (string | null)[] = [];
    const send = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(server.url + path, { headers, ...init });
      ids.push(response.headers.get('x-request-id'));
      return response;
    };
    const { clickToken } = (await (await send('/public/ads/formats/BANNER')).json()) as { clickToken: string };
    await send('/public/ads/tracking/click', { method: 'POST', body: JSON.stringify({ clickToken }) });
    await send('/public/ads/tracking/click', { method: 'POST', body: '{"clickToken":"\\u001b[31mspoiled"}' });
    await send('/public/search?q=whisper');
    const refused = await send('/public/posts', { headers: { 'X-API-Key': 'wrong-key' } });
    expect(await refused.json()).toMatchObject({
      error: { docs: expect.stringMatching(/^https:\/\/blog\.example\/errors\//) },
    });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop('SIGINT')).toBe(0);
    expect(rest).toBe('');

    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ requestId }) => requestId)).toEqual([...ids, undefined]);
    expect(lines[1]).toMatchObject({
      level: 'debug',
      endpoint: 'ads.click',
      blogId: 'news',
      status: 200,
      click: 'counted',
    });
    expect(lines.at(-1)).toMatchObject({ msg: 'stopping', signal: 'SIGINT' });
    const [, claims = ''] = clickToken.split('.');
    const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string };
    for (const word of [
      'test-key',
      'wrong-key',
      clickToken,
      jti,
      secret,
      '203.0.113.9',
      'whisper',
      'spoiled',
      '\u001b',
    ])
      expect(log).not.toContain(word);
  });

  it('--ops-port serves metrics and documentation on a separate port only', async () => {
    const args = ['--import', 'blog.json', '--database', 'sqlite:ops.db', '--ops-port', '0'];
    const server = await serve(args, { cwd });
    const [, ops = ''] = /Metrics and documentation are at (\S+)/.exec(server.said()) ?? [];
    expect(await (await fetch(`${ops}/metrics`)).text()).toContain('broadsheet_requests_total');
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
    expect(await server.stop()).toBe(0);
  });

  it('serve warns about a database without a blog, which a mistyped path creates', async () => {
    const server = await serve(['--database', 'sqlite:mistyped.db'], { cwd });
    await server.stop();
    expect(server.said()).toMatch(
      /^warning: there are no blogs yet in the database sqlite:mistyped\.db: .*import PATH/,
    );
  });

  it('the secret is stored: a click token of one process is valid in the next', async () => {
    const database = ['--database', 'sqlite:secret.db'];
    const headers = { 'X-API-Key': 'test-key', 'Content-Type': 'application/json' };
    const first = await serve(['--import', 'blog.json', ...database], { cwd });
    const ad = await fetch(`${first.url}/public/ads/formats/BANNER`, { headers });
    const { clickToken } = (await ad.json()) as { clickToken: string };
    await first.stop();
    const second = await serve(database, { cwd });
    const body = JSON.stringify({ clickToken });
    const click = () => fetch(`${second.url}/public/ads/tracking/click`, { method: 'POST', headers, body });
    expect([(await click()).status, (await click()).status]).toEqual([200, 409]);
    await second.stop();
  });

  it('serve refuses connections before it runs out of file descriptors, and logs it', async () => {
    const server = await serve(['--import', 'blog.json', '--database', 'sqlite:files.db'], { cwd, openFiles: 200 });
    const { hostname, port } = new URL(server.url);
    const sockets = Array.from({ length: 160 }, () =>
      connect(Number(port), hostname)
        .on('error', () => {})
        .resume(),
    );
    const read = () => fetch(`${server.url}/public/posts`, { headers: { 'X-API-Key': 'test-key' } });
    try {
      await expect.poll(() => server.said()).toContain('"msg":"connections are refused: raise the limit of open files');
      // 64 of the 200 are left for the database and other files.
      expect(server.said()).toContain('"maxConnections":136');
      for (const socket of sockets) socket.destroy();
      await expect.poll(async () => (await read().catch(() => undefined))?.status).toBe(200);
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });
});
