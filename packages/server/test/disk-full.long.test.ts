import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
import { type ServerProcess, serve } from './broadsheet.ts';
import { adCounts } from './events.ts';

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

/** A way to make a running server run out of space, and to undo it. */
interface Disk {
  readonly cwd: string;
  fill(server: ServerProcess): Promise<void>;
  free(server: ServerProcess): Promise<void>;
}

/** A separate file system that can be filled to the last byte. It requires the right to mount. */
async function smallDisk(): Promise<Disk> {
  const cwd = temporaryFolder().path;
  expect(succeeds('mount', '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', cwd)).toBe(true);
  onTestFinished(() => void spawnSync('umount', ['-l', cwd]));
  const filler = join(cwd, 'filler');
  return {
    cwd,
    async fill() {
      const { bavail, bsize } = await statfs(cwd);
      await writeFile(filler, new Uint8Array(bavail * bsize));
    },
    free: () => rm(filler),
  };
}

/** A limit on the size of files, which has the same effect on any disk. */
async function smallFiles(): Promise<Disk> {
  const cwd = temporaryFolder().path;
  const limit = async ({ child }: ServerProcess, size: string) =>
    expect(succeeds('prlimit', `--pid=${child.pid}`, `--fsize=${size}:`)).toBe(true);
  return { cwd, fill: (server) => limit(server, '1000'), free: (server) => limit(server, 'unlimited') };
}

/** Immutable database files, as on a file system that was remounted read-only. */
async function readOnly(): Promise<Disk> {
  const cwd = temporaryFolder().path;
  const files = ['b.db', 'b.db-wal'].map((name) => join(cwd, name));
  const allow = async () => void spawnSync('chattr', ['-i', ...files]);
  onTestFinished(allow);
  return { cwd, fill: async () => expect(succeeds('chattr', '+i', ...files)).toBe(true), free: allow };
}

function mayProtect(): boolean {
  const path = temporaryFolder().join('file');
  writeFileSync(path, '');
  return succeeds('chattr', '+i', path) && succeeds('chattr', '-i', path);
}

function mayMount(): boolean {
  const { path } = temporaryFolder();
  return succeeds('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path) && succeeds('umount', path);
}

describe.each([
  ['a full disk', smallDisk, mayMount()],
  ['files that cannot grow', smallFiles, succeeds('prlimit', '--version')],
  ['files that cannot be written', readOnly, mayProtect()],
])('%s', (_, makeDisk, possible) => {
  it.skipIf(!possible)('requests that count get 503, reads work, and the server recovers', async () => {
    const disk = await makeDisk();
    await writeFile(join(disk.cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
    const server = await serve(['--import', 'blog.json', '--database', 'sqlite:b.db'], disk);
    onTestFinished(async () => void (await server.stop()));
    const headers = { 'X-API-Key': 'test-key' };
    let acknowledged = 0;
    const deliver = async () => {
      const response = await fetch(`${server.url}/public/ads/formats/BANNER`, { headers });
      if (response.status === 200) acknowledged += 1;
      return response;
    };
    expect((await deliver()).status).toBe(200);
    await disk.fill(server);
    // The last free pages may take a few more deliveries.
    await expect.poll(async () => (await deliver()).status, { interval: 1 }).toBe(503);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    for (const refused of await Promise.all(Array.from({ length: 20 }, deliver))) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await refused.json()).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    }
    expect((await fetch(`${server.url}/public/posts`, { headers })).status).toBe(200);
    await disk.free(server);
    expect((await deliver()).status).toBe(200);
    // The result of the last check is shared for a second.
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 5000 }).toBe(200);
    expect(await adCounts('news', 'sqlite:b.db', disk)).toEqual({ impressions: acknowledged, clicks: 0 });
  });
});
