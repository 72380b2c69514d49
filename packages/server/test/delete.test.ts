import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { command } from './command.ts';

const AD = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const BLOG = {
  id: 'news',
  name: 'News',
  posts: [{ id: 'p', title: 'Hello', slug: 'hello', content: 'x'.repeat(1_000_000) }],
  campaigns: [{ id: 'c', sponsor: 'Tea', name: 'Spring' }],
  ads: [{ id: AD, format: 'BANNER', title: 'Tea', campaignId: 'c' }],
};
const NOUNS = [
  ['posts', 'p'],
  ['ads', AD],
  ['campaigns', 'c'],
] as const;

const folder = temporaryFolder();
const cwd = folder.path;
const exported = async () => JSON.parse((await command(['export', 'news'], { cwd })).stdout).blogs[0];
beforeAll(async () => {
  await folder.write({ 'news.json': JSON.stringify({ blogs: [BLOG] }) });
  expect((await command(['import', 'news.json'], { cwd })).code).toBe(0);
});

/** Runs a command whose output nobody reads, as in `broadsheet … | true`. */
async function unread(...args: readonly string[]) {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const program = ['--conditions=@broadsheet/source', main, ...args];
  const child = spawn(process.execPath, program, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  return { code, stderr };
}

it('a command that shows something ends silently if its output is not read', async () => {
  const showing = ['export news', 'posts list news', 'openapi', 'stats news', 'blogs time-zone news', 'keys --help'];
  const results = await Promise.all(showing.map((line) => unread(...line.split(' '))));
  expect(results).toEqual(showing.map(() => ({ code: 0, stderr: '' })));
});

it('a command that changes something reports an error if its output is not read', async () => {
  for (const args of [
    ['posts', 'delete', 'news', 'p'],
    ['blogs', 'time-zone', 'news', 'UTC'],
  ]) {
    const { code, stderr } = await unread(...args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('the output is not complete')]);
  }
  expect((await command(['posts', 'restore', 'news', 'p'], { cwd })).code).toBe(0);
});

it.each(NOUNS)('%s delete moves an item to the recycle bin, and restore brings it back', async (noun, id) => {
  const before = await exported();
  expect(before[noun]).toHaveLength(1);
  const { code, stdout, stderr } = await command([noun, 'delete', 'news', id], { cwd });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(`To undo within 30 days, run: broadsheet ${noun} restore news ${id}\n`);
  expect((await exported())[noun]).toEqual([]);
  const restored = await command([noun, 'restore', 'news', id], { cwd });
  expect(restored.code, restored.stderr).toBe(0);
  expect(await exported()).toEqual(before);
});
