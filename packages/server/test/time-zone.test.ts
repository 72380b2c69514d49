import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { command } from './command.ts';

const folder = temporaryFolder();
const run = async (...args: string[]) => {
  const database = `sqlite:${folder.join('blog.db')}`;
  const { code, stdout, stderr } = await command([...args, '--database', database], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return stdout;
};

it('the command line reads and writes times in the time zone of the blog', async () => {
  await run('blogs', 'create', 'news');
  await run('blogs', 'time-zone', 'news', 'Asia/Kathmandu');
  await folder.write({ 'posts/p.md': '---\ntitle: P\ndraft: true\n---\nText' });
  await run('import', folder.join('posts'), '--blog', 'news');
  const [{ id }] = JSON.parse(await run('posts', 'list', 'news', '--json')).posts;
  expect(await run('posts', 'publish', 'news', id, '--at', '2099-01-31')).toBe(
    `${id} will be published at 2099-01-31T00:00:00.000+05:45.\n`,
  );
  expect(await run('posts', 'list', 'news')).toContain('2099-01-31T00:00:00.000+05:45');
  expect(await run('posts', 'list', 'news', '--json')).toContain('"2099-01-30T18:15:00.000Z"');
  expect(await run('keys', 'list', 'news')).toMatch(/T[\d:.]{12}\+05:45 {2}- {10}-\n$/);
  await run('posts', 'delete', 'news', id);
  const [deletedAt = ''] = /\S+\+05:45/.exec(await run('bin', 'list', 'news')) ?? [];
  expect(await run('posts', 'restore', 'news', '--deleted-at', deletedAt)).toContain('Restored 1 post.');
  const dates = ['--from', '2099-02-01', '--to', '2099-02-02'];
  const added = await run('campaigns', 'add', 'news', '--sponsor', 'Tea', '--name', 'Days', ...dates);
  const [campaign = ''] = /[\w-]{36}/.exec(added) ?? [];
  expect(JSON.parse(await run('campaigns', 'list', 'news', '--json'))).toMatchObject([
    { campaign: { startsAt: '2099-01-31T18:15:00.000Z', endsAt: '2099-02-02T18:14:59.999Z' } },
  ]);
  const edited = await run('campaigns', 'edit', 'news', campaign, '--to', '2099-02-03');
  expect(edited).toContain('"2099-02-02T23:59:59.999+05:45" -> "2099-02-03T23:59:59.999+05:45"');
  const report = await run('campaigns', 'report', 'news', campaign);
  expect(report).toContain('Last day: 2099-02-03');
});
