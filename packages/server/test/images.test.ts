import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { png, SAMPLE_IMAGES, sha256 } from '../../../tools/testing/images.ts';
import { bodyOf, openSite } from '../../../tools/testing/site.ts';
import { command } from './command.ts';
import { type InProcessServer, serveInProcess } from './in-process.ts';

const PAGE = '<!DOCTYPE html><script>alert(1)</script>';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';

describeDatabases('images', (database) => {
  let server: InProcessServer;
  /** For tests whose result does not depend on the kind of database. */
  const onOne = it.skipIf(database.kind === 'PostgreSQL');
  const run = (...args: string[]) =>
    command([...args, '--database', database.url], { cwd: database.cwd, env: { PUBLIC_URL: server.url } });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  const file = async (name: string, bytes: Uint8Array | string) => {
    await writeFile(join(database.cwd, name), bytes);
    return name;
  };
  const addAd = async (image: string): Promise<{ id: string; imageUrl: string; name?: string }> =>
    json('ads', 'add', 'news', '--format', 'BANNER', '--image', image);

  beforeAll(async () => {
    server = await serveInProcess(database.url);
    await run('blogs', 'create', 'news');
  });
  afterAll(() => server?.stop());

  it('an ad gets an image from a file, which the server sends with its type and as immutable', async () => {
    for (const [extension, bytes] of Object.entries(SAMPLE_IMAGES)) {
      const { imageUrl, name } = await addAd(await file(`ad ü.${extension}`, bytes));
      expect(name).toBe(`ad ü.${extension}`);
      expect(imageUrl).toBe(`${server.url}/media/${sha256(bytes)}.${extension}`);
      const response = await fetch(imageUrl);
      expect(response.status).toBe(200);
      expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(bytes));
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': `image/${extension === 'jpg' ? 'jpeg' : extension}`,
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        etag: `"${sha256(bytes)}"`,
      });
    }
  });

  onOne('HEAD has the same headers, a known ETag gets 304, and other methods are refused', async () => {
    const { imageUrl } = await addAd(await file('head.png', png(5, 5)));
    const whole = await fetch(imageUrl);
    const head = await fetch(imageUrl, { method: 'HEAD' });
    expect(await head.text()).toBe('');
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
    const etag = whole.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      expect((await fetch(imageUrl, { headers: { 'If-None-Match': known } })).status).toBe(304);
    }
    expect((await fetch(imageUrl, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    const post = await fetch(imageUrl, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('an image for an ad or a blog that does not exist is not stored', async () => {
    const [image, hash] = [await file('nowhere.png', png(7, 1)), sha256(png(7, 1))];
    const missing = await run('ads', 'edit', 'news', 'no-such-ad', '--image', image);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('There is no ad "no-such-ad" in news')]);
    const nowhere = await run('ads', 'add', 'nowhere', '--format', 'BANNER', '--image', image);
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('There is no blog "nowhere"')]);
    expect(await server.store.missingImages('news', [hash])).toEqual([hash]);
    expect(await server.store.missingImages('nowhere', [hash])).toEqual([hash]);
  });

  onOne('every other path below /media is 404, with a page for browsers', async () => {
    const { imageUrl } = await addAd(await file('path.png', png(6, 6)));
    const { pathname } = new URL(imageUrl);
    const hash = pathname.slice(7, 71);
    const wrong = [
      pathname.replace('.png', '.jpg'),
      pathname.replace('.png', '.svg'),
      pathname.replace('.png', ''),
      pathname.replace('.png', '.png%00.html'),
      pathname.toUpperCase(),
      `${pathname}/`,
      `/media/${'0'.repeat(64)}.png`,
      `/media/%2e%2e%2f${hash}.png`,
      '/media/..%2f..%2fetc%2fpasswd',
      `/media//${hash}.png`,
      '/media/',
    ];
    for (const path of wrong) {
      const { status } = await fetch(server.url + path);
      expect(`${path}: ${status}`).toMatch(/: (404|401)$/);
      const page = await fetch(server.url + path, { headers: { Accept: 'text/html' } });
      expect(`${path}: ${page.status}`).toBe(`${path}: 404`);
      expect(page.headers.get('content-type')).toContain('text/html');
    }
    const { hostname, port } = new URL(server.url);
    for (const path of [`/media/../media/${hash}.png`, '/media/../../etc/passwd', `/media/%2e%2e/${hash}.png`]) {
      const sent = request({ hostname, port, path }).end();
      const [response] = await once(sent, 'response');
      response.resume();
      expect(response.statusCode).toBe(400);
    }
  });

  onOne('a file that is not an image, or too large, is refused with the reason', async () => {
    const bad = {
      'page.png': [PAGE, 'page.png is a web page'],
      'drawing.svg': [SVG, 'drawing.svg is SVG'],
      'drawing.png': [SVG, 'drawing.png is SVG'],
      'text.jpg': ['hello', 'text.jpg is not an image of a supported kind'],
      'bomb.png': [png(10_000, 10_000), 'bomb.png is an image of 10000 x 10000 pixels'],
      'large.png': [png(1, 1, 10 * 1024 * 1024 + 1), 'at most 10 MiB'],
      'huge.png': [png(1, 1, 21 * 1024 * 1024), 'exceeds the size limit for images'],
    } as const;
    for (const [name, [content, reason]] of Object.entries(bad)) {
      const { code, stderr } = await run(
        'ads',
        'add',
        'news',
        '--format',
        'BANNER',
        '--image',
        await file(name, content),
      );
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(reason) });
    }
    for (const path of ['missing.png', './missing.png', '/srv/missing.png']) {
      const { code, stderr } = await run('ads', 'add', 'news', '--format', 'BANNER', '--image', path);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining(`--image: there is no file "${path}"`),
      });
    }
  });

  onOne('a polyglot is served with the type of the image, and runs nothing', async () => {
    const polyglot = new Uint8Array([...SAMPLE_IMAGES.gif, ...new TextEncoder().encode(PAGE)]);
    const { imageUrl } = await addAd(await file('polyglot.html', polyglot));
    const { headers } = await fetch(imageUrl, { headers: { Accept: 'text/html' } });
    expect(headers.get('content-type')).toBe('image/gif');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  it('images of 10 MiB arrive complete, even if another client cancels its download', async () => {
    const bytes = png(7, 7, 10 * 1024 * 1024);
    const { imageUrl } = await addAd(await file('ten.png', bytes));
    const responses = await Promise.all(Array.from({ length: 3 }, () => fetch(imageUrl)));
    await responses[0]?.body?.cancel();
    for (const response of responses.slice(1)) {
      expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(bytes));
    }
  });

  it('export, import and move include the images', async () => {
    const first = png(8, 8);
    const second = png(9, 9);
    const [image, other] = [await file('first.png', first), await file('second.png', second)];
    await run('blogs', 'create', 'moving');
    const { id } = await json('ads', 'add', 'moving', '--format', 'BANNER', '--image', image);
    const { stdout, stderr } = await run('export', 'moving', '--media', 'media');
    expect(stderr).toContain('Wrote 1 images to media.');
    expect(await readdir(join(database.cwd, 'media'))).toEqual([`${sha256(first)}.png`]);

    const elsewhere = ['--database', 'sqlite:elsewhere.db'];
    const env = { PUBLIC_URL: 'https://new.example/blog/' };
    const snapshot = await file('moving.json', stdout);
    const imported = await command(['import', snapshot, '--media', 'media', ...elsewhere], { cwd: database.cwd, env });
    expect(imported.code).toBe(0);
    const there = async (...args: string[]) => {
      const { stdout: printed } = await command([...args, ...elsewhere], { cwd: database.cwd });
      return printed;
    };
    const [ad] = JSON.parse(await there('ads', 'list', 'moving', '--json'));
    expect(ad.imageUrl).toBe(`https://new.example/blog/media/${sha256(first)}.png`);
    await mkdir(join(database.cwd, 'again'), { recursive: true });
    await there('export', 'moving', '--media', 'again');
    expect(await readdir(join(database.cwd, 'again'))).toEqual([`${sha256(first)}.png`]);

    const moved = await run('media', 'move', server.url, 'https://cdn.example', '--blog', 'moving');
    expect(moved.stdout).toBe('moving: changed 1 post or ad\n');
    expect((await json('ads', 'list', 'moving'))[0].imageUrl).toBe(`https://cdn.example/media/${sha256(first)}.png`);
    await run('ads', 'edit', 'moving', id, '--image', other);
    expect((await fetch(`${server.url}/media/${sha256(second)}.png`)).status).toBe(200);
    expect((await run('blogs', 'delete', 'moving', '--yes')).code).toBe(0);
    expect((await fetch(`${server.url}/media/${sha256(second)}.png`)).status).toBe(404);
  });

  onOne('an export from a server that is busy has every image, or fails', async () => {
    await run('blogs', 'create', 'busy');
    const images = [png(30, 1), png(30, 2)];
    for (const [index, bytes] of images.entries()) {
      await run('ads', 'add', 'busy', '--format', 'BANNER', '--image', await file(`busy${index}.png`, bytes));
    }
    const elsewhere = `https://cdn.example/media/${'a'.repeat(64)}.png`;
    await run('ads', 'add', 'busy', '--format', 'BANNER', '--image', elsewhere);
    const { token } = await json('tokens', 'create', 'backup', '--scope', 'all', '--blog', 'busy');
    /** The statuses of the next responses to requests for images; even with 200, the body is not the image. */
    let mediaStatuses: number[] = [];
    await using proxy = await openSite(async (request, response) => {
      const status = request.url?.startsWith('/media/') ? mediaStatuses.shift() : undefined;
      if (status !== undefined) return void response.writeHead(status, { 'retry-after': '0' }).end('Please sign in.');
      const { method = 'GET', headers, url = '' } = request;
      const body = method === 'POST' ? await bodyOf(request) : undefined;
      const { authorization = '' } = headers;
      const upstream = await fetch(server.url + url, { method, headers: { authorization }, ...(body && { body }) });
      response.writeHead(upstream.status).end(new Uint8Array(await upstream.arrayBuffer()));
    });
    const env = { BROADSHEET_ADMIN_TOKEN: token };
    const backUp = async (folder: string, ...statuses: number[]) => {
      mediaStatuses = statuses;
      const args = ['export', 'busy', '--media', folder, '--database', proxy.url];
      const { code, stderr } = await command(args, { cwd: database.cwd, env });
      return { code, stderr, written: (await readdir(join(database.cwd, folder))).sort() };
    };
    const all = images.map((bytes) => `${sha256(bytes)}.png`).sort();
    const complete = await backUp('complete', 429, 503, 429);
    expect(complete).toEqual({ code: 0, written: all, stderr: expect.stringContaining('Wrote 2 images') });
    expect(complete.stderr).toContain('1 image is not stored on this server');
    for (const status of [500, 403, 301, 200]) {
      expect((await backUp(`failed${status}`, status)).code, `${status}`).not.toBe(0);
    }
    expect((await backUp('refused', ...Array.from({ length: 20 }, () => 503))).code).not.toBe(0);
    await run('blogs', 'delete', 'busy', '--yes');
  });

  it('import --media says which images are not in the folder', async () => {
    await mkdir(join(database.cwd, 'incomplete'), { recursive: true });
    const url = `https://old.example/media/${'b'.repeat(64)}.png`;
    const ads = [{ id: crypto.randomUUID(), format: 'BANNER', imageUrl: url }];
    const snapshot = await file('incomplete.json', JSON.stringify({ blogs: [{ id: 'part', name: 'Part', ads }] }));
    const { code, stderr } = await run('import', snapshot, '--media', 'incomplete');
    expect(code).toBe(0);
    expect(stderr).toContain('note: 1 image is not in incomplete, so its URL stays');
    await run('blogs', 'delete', 'part', '--yes');
  });

  // The stored data do not depend on the way in which they were imported.
  onOne('a token that may import stores the images of a folder from another machine', async () => {
    const bytes = png(20, 20, 10 * 1024 * 1024);
    await mkdir(join(database.cwd, 'remote'), { recursive: true });
    await file('remote/large.png', bytes);
    await file('remote/post.md', '---\ntitle: Remote\ndate: 2026-01-01\n---\n\n![Large](large.png)\n');
    await run('blogs', 'create', 'remote');
    const { token } = await json('tokens', 'create', 'ci', '--scope', 'import', '--blog', 'remote');
    const args = ['import', 'remote', '--blog', 'remote', '--database', server.url];
    const imported = await command(args, { cwd: database.cwd, env: { BROADSHEET_ADMIN_TOKEN: token } });
    expect(imported).toMatchObject({ code: 0 });
    const response = await fetch(`${server.url}/media/${sha256(bytes)}.png`);
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(bytes));
    await run('blogs', 'delete', 'remote', '--yes');
  });

  onOne('import --media refuses a file that does not match the hash in its name', async () => {
    const hash = sha256(png(10, 10));
    await mkdir(join(database.cwd, 'forged'), { recursive: true });
    await file(join('forged', `${hash}.png`), png(11, 11));
    const ads = [{ id: crypto.randomUUID(), format: 'BANNER', imageUrl: `https://old.example/media/${hash}.png` }];
    const snapshot = await file('forged.json', JSON.stringify({ blogs: [{ id: 'forged', name: 'Forged', ads }] }));
    const { code, stderr } = await run('import', snapshot, '--media', 'forged');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('does not match the hash in its name'),
    });
    expect((await run('import', snapshot, '--media', 'nowhere')).stderr).toContain('nowhere');
  });
});
