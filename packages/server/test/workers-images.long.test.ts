import { readdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { png, SAMPLE_IMAGES, sha256 } from '../../../tools/testing/images.ts';
import { fetchAlone } from '../../../tools/testing/workerd.ts';
import { type Deployment, deploy } from '../../workers/test/deployment.ts';
import { command } from './command.ts';

describe('images on Workers', { shuffle: false }, () => {
  let deployment: Deployment;
  const folder = temporaryFolder();
  const run = (...args: string[]) =>
    command(args, { cwd: folder.path, env: { BROADSHEET_ADMIN_TOKEN: deployment.token } });
  const remote = (...args: string[]) => run(...args, '--database', deployment.url);
  const json = async (...args: string[]) => JSON.parse((await remote(...args, '--json')).stdout);
  const file = async (name: string, bytes: Uint8Array | string) => {
    await writeFile(folder.join(name), bytes);
    return name;
  };
  const get = (url: string, init: RequestInit = {}) => fetchAlone(new Request(url, init));
  /** A database file for one attempt of a test. */
  const newFile = () => `sqlite:${temporaryFolder().join('test.db')}`;
  const addAd = async (blog: string, image: string): Promise<{ id: string; imageUrl: string }> =>
    json('ads', 'add', blog, '--format', 'BANNER', '--image', image);

  beforeAll(async () => {
    deployment = await deploy();
    await remote('blogs', 'create', 'news');
  });
  afterAll(() => deployment?.stop());

  it('an image of each kind is stored and sent with its type', async () => {
    for (const [extension, bytes] of Object.entries(SAMPLE_IMAGES)) {
      const { imageUrl } = await addAd('news', await file(`ad.${extension}`, bytes));
      expect(imageUrl).toBe(`${deployment.url}/media/${sha256(bytes)}.${extension}`);
      for (let turn = 0; turn < 2; turn += 1) {
        const response = await get(imageUrl);
        expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(bytes));
        expect(response.headers.get('content-type')).toBe(`image/${extension === 'jpg' ? 'jpeg' : extension}`);
        expect(response.headers.get('cache-control')).toContain('immutable');
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        expect(response.headers.get('content-security-policy')).toContain('sandbox');
      }
      const etag = `"${sha256(bytes)}"`;
      expect((await get(imageUrl, { headers: { 'If-None-Match': etag } })).status).toBe(304);
      const head = await get(imageUrl, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect((await get(imageUrl.replace(`.${extension}`, '.svg'))).status).toBe(404);
    }
    expect((await get(`${deployment.url}/media/${'0'.repeat(64)}.png`)).status).toBe(404);
  });

  it('an image of 2 MB is stored, and a larger one is refused with the reason', async () => {
    const large = png(2, 2, 2_000_000);
    const { imageUrl } = await addAd('news', await file('two.png', large));
    expect(sha256(new Uint8Array(await (await get(imageUrl)).arrayBuffer()))).toBe(sha256(large));
    const args = ['ads', 'add', 'news', '--format', 'BANNER', '--image', await file('more.png', png(2, 2, 2_200_000))];
    const { code, stderr } = await remote(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('at most 2 MB') });
  });

  it('a folder with images is imported, exported, moved and pruned', async () => {
    const [first, second] = [png(3, 3), png(4, 4)];
    const post = (text: string) => `---\ntitle: Tea\ndate: 2026-01-01\n---\n\n${text}`;
    await folder.write({ 'posts/tea.md': post('![A cup](cup.png)'), 'posts/cup.png': first });
    expect(await remote('import', 'posts', '--blog', 'tea')).toMatchObject({ code: 0 });
    const url = `${deployment.url}/media/${sha256(first)}.png`;
    expect((await get(url)).status).toBe(200);
    await remote('export', 'tea', '--media', 'exported');
    expect(await readdir(folder.join('exported'))).toEqual([`${sha256(first)}.png`]);

    await folder.write({ 'posts/tea.md': post('![A pot](pot.png)'), 'posts/pot.png': second });
    expect((await remote('import', 'posts', '--blog', 'tea', '--prune')).stdout).toContain('removed images: 1');
    expect((await get(url)).status).toBe(404);
    const moved = await remote('media', 'move', deployment.url, 'https://new.example', '--blog', 'tea');
    expect(moved.stdout).toBe('tea: changed 1 post or ad\n');
    const { stdout } = await remote('export', 'tea');
    expect(stdout).toContain(`![A pot](https://new.example/media/${sha256(second)}.png)`);
  });

  it('copies in both directions contain the images, unless one is too large', async () => {
    const [copied, large] = [newFile(), newFile()];
    for (const [extension, bytes] of Object.entries(SAMPLE_IMAGES)) {
      await addAd('news', await file(`copied.${extension}`, bytes));
    }
    expect(await run('copy', deployment.url, copied)).toMatchObject({ code: 0 });
    const other = await deploy();
    try {
      expect(await run('copy', copied, other.url)).toMatchObject({ code: 0 });
      for (const [extension, bytes] of Object.entries(SAMPLE_IMAGES)) {
        const response = await get(`${other.url}/media/${sha256(bytes)}.${extension}`);
        expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(bytes));
      }
      const image = await file('large.png', png(9, 9, 3_000_000));
      await run('blogs', 'create', 'large', '--database', large);
      await run('ads', 'add', 'large', '--format', 'BANNER', '--image', image, '--database', large);
      const third = await deploy();
      try {
        const { code, stderr } = await run('copy', large, third.url);
        expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('of blog large has 3.0 MB') });
        expect((await run('blogs', 'list', '--json', '--database', third.url)).stdout).toBe('[]\n');
      } finally {
        await third.stop();
      }
    } finally {
      await other.stop();
    }
  });

  it('an image disappears with the last blog that has it', async () => {
    const image = await file('shared.png', png(12, 12));
    for (const blog of ['one', 'two']) {
      await remote('blogs', 'create', blog);
      await addAd(blog, image);
    }
    const url = `${deployment.url}/media/${sha256(png(12, 12))}.png`;
    const read = async () => {
      const response = await get(url);
      return [response.status, sha256(new Uint8Array(await response.arrayBuffer()))];
    };
    const whole = [200, sha256(png(12, 12))];
    expect(await read()).toEqual(whole);
    await remote('blogs', 'delete', 'one', '--yes');
    // From the cache of the edge.
    for (let turn = 0; turn < 2; turn += 1) expect(await read()).toEqual(whole);
    await remote('blogs', 'delete', 'two', '--yes');
    expect((await read())[0]).toBe(404);
  });
});
