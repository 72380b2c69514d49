import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { broadsheet } from './broadsheet.ts';

const AD = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const snapshot = {
  blogs: [
    {
      id: 'news',
      name: 'News',
      posts: [{ id: 'p', title: 'Hello', slug: 'hello', content: 'x'.repeat(1_000_000) }],
      campaigns: [{ id: 'c', sponsor: 'Tea', name: 'Spring' }],
      ads: [{ id: AD, format: 'BANNER', title: 'Tea', campaignId: 'c' }],
    },
  ],
};

describe.each([
  ['posts', 'p'],
  ['ads', AD],
  ['campaigns', 'c'],
])('broadsheet %s delete', (noun, id) => {
  const folder = temporaryFolder();
  const cwd = folder.path;
  const exported = async () => JSON.parse((await broadsheet(['export', 'news'], { cwd })).stdout).blogs[0][noun];
  beforeAll(async () => {
    await folder.write({ 'news.json': JSON.stringify(snapshot) });
    expect((await broadsheet(['import', 'news.json'], { cwd })).code).toBe(0);
  });

  it.skipIf(!existsSync('/dev/full'))('delete deletes nothing if its output does not fit on the disk', async () => {
    const full = await open('/dev/full', 'w');
    const { code, stderr } = await broadsheet([noun, 'delete', 'news', id], { cwd, stdout: full.fd });
    await full.close();
    expect(stderr).toMatch(/the output is not complete/);
    expect(code).not.toBe(0);
    expect(await exported()).toHaveLength(1);
  });

  it('delete deletes nothing if its output is not read', async () => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const args = ['--conditions=@broadsheet/source', main, noun, 'delete', 'news', id];
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.destroy();
    await once(child, 'close');
    expect(await exported()).toHaveLength(1);
  });

  it('delete prints what it deletes, and restore brings it back', async () => {
    const before = await exported();
    const { code, stdout, stderr } = await broadsheet([noun, 'delete', 'news', id], { cwd });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).blogs[0][noun]).toEqual(before);
    expect(await exported()).toEqual([]);
    const restored = await broadsheet([noun, 'restore', 'news', id], { cwd });
    expect(restored.code, restored.stderr).toBe(0);
    expect(await exported()).toEqual(before);
  });
});
