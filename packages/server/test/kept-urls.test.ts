import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SnapshotPost } from '@broadsheet/contract';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { command } from './command.ts';

const folder = temporaryFolder().path;
const DATABASE = 'sqlite:blog.db';

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  await rm(join(folder, 'site'), { recursive: true, force: true });
  for (const [path, fields] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'site', path)), { recursive: true });
    await writeFile(join(folder, 'site', path), `---\ntitle: ${path}\n${fields}\n---\nText.\n`);
  }
}

const run = (...args: string[]) => command([...args, '--database', DATABASE], { cwd: folder });
const importSite = (...flags: string[]) => run('import', 'site', '--blog', 'news', ...flags);

async function stored(): Promise<Readonly<Record<string, Pick<SnapshotPost, 'slug' | 'publishedAt'>>>> {
  const { blogs } = JSON.parse((await run('export', 'news')).stdout);
  return Object.fromEntries(blogs[0].posts.map((post: SnapshotPost) => [post.title, post]));
}

it('an import keeps URLs, and reads dates in the time zone of the blog', async () => {
  await run('blogs', 'create', 'news');
  await run('blogs', 'time-zone', 'news', 'America/New_York');
  await write({ 'posts/hello.md': 'date: 2026-07-01' });
  await importSite();
  expect(await stored()).toMatchObject({
    'posts/hello.md': { slug: 'hello', publishedAt: '2026-07-01T04:00:00.000Z' },
  });

  await write({
    'posts/hello.md': 'date: 2026-07-01',
    '_drafts/hello.md': 'slug: hello',
    'hello.md': 'date: 2020-01-01',
  });
  const added = await importSite('--json');
  expect(added.code).toBe(0);
  expect(JSON.parse(added.stdout).notes).toContain(
    '_drafts/hello.md: the slug "hello" is taken by posts/hello.md; this post is "drafts-hello"',
  );
  const slugs = { 'posts/hello.md': { slug: 'hello' }, '_drafts/hello.md': { slug: 'drafts-hello' } };
  expect(await stored()).toMatchObject({ ...slugs, 'hello.md': { slug: 'hello-2' } });

  await write({ 'posts/hello.md': 'slug: world\ndate: 2026-07-01', 'hello.md': 'slug: hello\ndate: 2020-01-01' });
  const refused = await importSite();
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(
    'posts/hello.md: is published as "hello" and would move to "world", and hello.md would get "hello"',
  );
  expect(refused.stderr).toContain('site: add --allow-moved-urls');
  expect(await stored()).toMatchObject(slugs);
  expect(await importSite('--dry-run')).toMatchObject({ code: 2 });
  expect(await importSite('--allow-moved-urls')).toMatchObject({ code: 0 });
  expect(await stored()).toMatchObject({ 'posts/hello.md': { slug: 'world' }, 'hello.md': { slug: 'hello' } });
});
