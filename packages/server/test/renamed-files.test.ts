import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { command } from './command.ts';

const folder = temporaryFolder().path;
const run = (...args: string[]) => command([...args, '--database', 'sqlite:blog.db'], { cwd: folder });

async function importFiles(files: Readonly<Record<string, string>>) {
  await rm(join(folder, 'site'), { recursive: true, force: true });
  await mkdir(join(folder, 'site'));
  for (const [name, slug] of Object.entries(files)) {
    await writeFile(
      join(folder, 'site', name),
      `---\ntitle: Post ${slug}\nslug: ${slug}\ndate: 2020-01-01\n---\nText.\n`,
    );
  }
  const { code, stdout } = await run('import', 'site', '--blog', 'news', '--prune', '--json');
  expect(code).toBe(0);
  const { added, changed, removed } = JSON.parse(stdout).blogs[0].changes.posts;
  return { added, changed, removed: removed.sort() };
}

it('a prune with a renamed file is undone as a whole, and what is in the way is named', async () => {
  await importFiles({ 'a.md': 's1', 'b.md': 's2', 'c.md': 's3' });
  expect(await importFiles({ 'renamed.md': 's1' })).toEqual({
    added: [],
    changed: ['Post s1'],
    removed: ['Post s2', 'Post s3'],
  });
  const { items } = JSON.parse((await run('bin', 'list', 'news', '--json')).stdout);
  expect(items.map(({ title }: { title: string }) => title).sort()).toEqual(['Post s2', 'Post s3']);
  const [{ deletedAt }] = items;

  // Without pruning, a new file gets the slug of a deleted post.
  await writeFile(join(folder, 'site', 'other.md'), '---\ntitle: Other\nslug: s2\ndate: 2020-01-01\n---\nText.\n');
  await run('import', 'site', '--blog', 'news');
  const restored = await run('posts', 'restore', 'news', '--deleted-at', deletedAt);
  expect(restored).toMatchObject({ code: 0 });
  expect(restored.stdout).toMatch(/restored 1 post/i);
  expect(restored.stderr).toMatch(/post b-\w+ \(“Post s2”\): the post other-\w+ \("Other"\) has its slug "s2" now/);
  const again = await run('posts', 'restore', 'news', '--deleted-at', deletedAt);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('has its slug "s2" now');
});
