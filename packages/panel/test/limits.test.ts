import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { IMAGE_LIMITS } from '@broadsheet/core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { LIMITS } from '../../content/src/limits.ts';
import { CLOSING, PATIENCE } from '../../server/src/operators/thread.ts';
import { FORM_BYTES, formBytes, IMPORT_BYTES } from '../src/app.ts';
import { READ_FOR } from '../src/imports/import.tsx';
import { MOST_BYTES, MOST_FILES } from '../src/imports/unpack.ts';
import { NEWS, ONE_BLOG, type PanelServer, startPanel } from './panel-server.ts';

const MEBIBYTE = 1024 * 1024;
it('the documentation states each limit', async () => {
  const text = await readFile(new URL('../../../docs/operate.md', import.meta.url), 'utf8');
  const rows = text.split('## Limits of inputs')[1]?.split('\n## ')[0] ?? '';
  const { frontMatterLength, frontMatterValues, frontMatterDepth, jsonDepth, openingLength, problems } = LIMITS;
  const counts = [
    MOST_FILES,
    frontMatterLength,
    frontMatterValues,
    frontMatterDepth,
    jsonDepth,
    openingLength,
    problems,
    IMAGE_LIMITS.pixels,
  ];
  const sizes = [formBytes('/panel/news/ads.add'), FORM_BYTES, IMPORT_BYTES, IMAGE_LIMITS.bytes, MOST_BYTES].map(
    (bytes) => `${bytes / MEBIBYTE} MiB`,
  );
  const times = [READ_FOR, PATIENCE, CLOSING].map((ms) => `${ms / 1000} s`);
  for (const limit of [...counts.map((count) => count.toLocaleString('en')), ...sizes, ...times])
    expect(rows).toContain(` ${limit} `);
});

describe('an input of the panel', () => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  let session = '';
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`, Date);
    await panel.store.importBlogs([NEWS], Date.now());
    session = await panel.session(ONE_BLOG);
  });
  afterAll(() => panel?.close());

  const post = async (path: string, form: Record<string, string | File>) => {
    const response = await panel.ask(session, path, { form });
    return { status: response.status, text: await response.text() };
  };

  /** The status for a body with this `Content-Length`, before the body is sent. */
  function statusFor(path: string, length: number): Promise<number | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const headers = { Origin: panel.url, Cookie: `broadsheet-panel=${session}`, 'Content-Length': length };
    const sent = request(panel.url + path, { method: 'POST', agent: false, headers }, ({ statusCode }) => {
      resolve(statusCode);
      sent.destroy();
    });
    sent.on('error', reject).flushHeaders();
    return promise;
  }

  it('a form that is too large is refused with its limit', async () => {
    const name = 'x'.repeat(FORM_BYTES);
    expect(await post('/panel/news/blogs.rename', { name })).toMatchObject({
      status: 413,
      text: expect.stringContaining('exceeds the limit of 4 MiB.'),
    });
    const signIn = { method: 'POST', headers: { Origin: panel.url, Connection: 'close' }, body: 'x'.repeat(65_537) };
    const response = await fetch(`${panel.url}/panel/sign-in`, signIn);
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining('the limit of 64 KiB.')]);
  });

  it('an unreadable form from a stranger signs nobody in, and is not an error of the server', async () => {
    const headers = { Origin: panel.url, 'Content-Type': 'multipart/form-data' };
    const response = await fetch(`${panel.url}/panel/sign-in`, { method: 'POST', headers, body: 'x' });
    expect(response.status).toBe(403);
  });

  it('a form may have 4 MiB, one with the image of an ad 14 MiB, and an import 64 MiB', async () => {
    // Below the limit the form is read, and its values are refused: the name is too long, and the token is missing.
    const name = 'x'.repeat(FORM_BYTES - 10_000);
    expect(await post('/panel/news/blogs.rename', { name })).toMatchObject({
      status: 400,
      text: expect.stringContaining('must be at most 200 characters long'),
    });
    const image = new File(['x'.repeat(formBytes('/panel/news/ads.add') - 10_000)], 'a.png');
    expect(await post('/panel/news/ads.add', { format: 'BANNER', image })).toMatchObject({
      status: 400,
      text: expect.stringContaining('at most 10 MiB'),
    });
    expect(await statusFor('/panel/news/ads.add', formBytes('/panel/news/ads.add') + 1)).toBe(413);
    for (const name of ['blogs.rename', 'ads.pause', 'toString']) {
      expect(await statusFor(`/panel/news/${name}`, FORM_BYTES + 1)).toBe(413);
    }
    expect(await statusFor('/panel/news/import', IMPORT_BYTES + 1)).toBe(413);
  });

  it('the forms of one person that arrive at the same time are limited together', async () => {
    const type = 'multipart/form-data; boundary=x';
    const headers = { Origin: panel.url, Cookie: `broadsheet-panel=${session}`, 'Content-Type': type };
    const sent = [1, 2].map(() => {
      const lengths = { 'Content-Length': IMPORT_BYTES };
      return request(`${panel.url}/panel/news/import`, {
        method: 'POST',
        agent: false,
        headers: { ...headers, ...lengths },
      });
    });
    onTestFinished(() => {
      for (const one of sent) one.destroy();
    });
    // Neither body has arrived. One of the requests is refused, and the other still waits for its body.
    const refused = await Promise.race(
      sent.map(async (one) => {
        one.on('error', () => {}).flushHeaders();
        const [{ statusCode }] = await once(one, 'response');
        return { one, statusCode };
      }),
    );
    expect(refused.statusCode).toBe(409);
    // A small form gets a response in the meantime.
    expect((await post('/panel/news/blogs.rename', { name: 'The News' })).status).toBe(303);
    for (const one of sent) if (one !== refused.one) one.destroy();
    const file = new File(['x'.repeat(IMPORT_BYTES - 10_000)], 'a.txt');
    await expect.poll(async () => (await post('/panel/news/import', { file })).status, { timeout: 20_000 }).toBe(400);
  });

  it('an import with deep nesting or a recursive YAML alias is refused', async () => {
    const file = new File([`{"blogs":${'['.repeat(50_000)}${']'.repeat(50_000)}}`], 'a.json');
    expect(await post('/panel/news/import', { file })).toMatchObject({ status: 400 });
    const folder = new File(['---\ntitle: A\na: &a [*a, *a, *a]\n---\n'], 'posts/a.md');
    const { status, text } = await post('/panel/news/import', { folder });
    expect(status).toBe(400);
    expect(text).toContain('the front matter has more than');
  });

  it('a folder that is read for a minute is refused', async () => {
    const after = AbortSignal.timeout;
    const timeout = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((milliseconds) => (milliseconds === 60_000 ? AbortSignal.abort() : after(milliseconds)));
    onTestFinished(() => timeout.mockRestore());
    const response = await post('/panel/news/import', { file: new File(['# Long'], 'long.md') });
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('takes too long to read')]);
    expect(READ_FOR).toBe(60_000);
  });

  it('an import with 20,000 problems shows some of them', async () => {
    const posts = Array.from({ length: 20_000 }, (_, id) => ({ id: String(id), slug: 'same', title: 'A' }));
    const file = new File([JSON.stringify({ blogs: [{ id: 'news', name: 'News', posts }] })], 'a.json');
    const { status, text } = await post('/panel/news/import', { file });
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(1_000_000);
    expect(text).toContain('more');
  });

  it('a body without a session is refused before it is read', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += MEBIBYTE;
        if (sent > IMPORT_BYTES) controller.close();
        else controller.enqueue(new Uint8Array(MEBIBYTE));
      },
    });
    const headers = { Origin: panel.url, Connection: 'close' };
    const init = { method: 'POST', body, duplex: 'half', headers };
    const response = await fetch(`${panel.url}/panel/news/import`, init).catch((error: unknown) => String(error));
    // The connection may be closed while the client is still sending.
    if (response instanceof Response) expect(response.status).toBe(401);
    expect(sent).toBeLessThan(IMPORT_BYTES);
  });

  it('compressed data is not expanded, in a field or in a file', async () => {
    // A gzip file may have several members; this one expands to 500 MiB.
    const bomb = Buffer.concat(Array(500).fill(gzipSync(new Uint8Array(MEBIBYTE))));
    expect(bomb.length).toBeLessThan(MEBIBYTE);
    const before = process.memoryUsage().rss;
    const responses = await Promise.all(
      Array.from({ length: 4 }, () =>
        post('/panel/news/import', { upload: bomb.toString('base64'), name: 'a', content: bomb.toString('base64') }),
      ),
    );
    for (const { status, text } of responses)
      expect([status, text]).toEqual([400, expect.stringContaining('no longer stored')]);
    const file = await post('/panel/news/import', { file: new File([bomb], 'a.json.gz') });
    expect([file.status, file.text]).toEqual([400, expect.stringContaining('is not a text file')]);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MEBIBYTE);
  });
});
