import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, it } from 'vitest';
import { createPostgres, describeDatabases } from '../../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { TEST_BLOG } from '../../../http/test/memory-server-store.ts';
import { command } from '../../test/command.ts';
import { adCounts } from '../../test/events.ts';
import { type InProcessServer, serveInProcess } from '../../test/in-process.ts';

const headers = { 'X-API-Key': 'test-key', 'Content-Type': 'application/json' };
const deliver = async ({ url }: InProcessServer) =>
  (await (await fetch(`${url}/public/ads/formats/BANNER`, { headers })).json()) as { clickToken: string };
const click = async ({ url }: InProcessServer, { clickToken }: { clickToken: string }) =>
  (await fetch(`${url}/public/ads/tracking/click`, { method: 'POST', headers, body: JSON.stringify({ clickToken }) }))
    .status;

describeDatabases('copying a database', (database) => {
  it.skipIf(!inject('postgres'))('a copy keeps keys, counts, and used and unused click tokens', async () => {
    await writeFile(join(database.cwd, 'blog.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
    // Each kind is copied into the other.
    const target =
      database.kind === 'SQLite' ? await createPostgres('template0') : `sqlite:${join(database.cwd, 'target.db')}`;
    await command(['import', 'blog.json', '--database', database.url], database);
    const before = await serveInProcess(database.url);
    const used = await deliver(before);
    const unused = await deliver(before);
    expect(await click(before, used)).toBe(200);
    const copied = await command(['copy', database.url, target], database);
    expect(copied).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Copied into .*\n[\s\S]* {2}posts: 1\n/) });
    await before.stop();

    expect(await adCounts('news', target, database)).toEqual({ impressions: 2, clicks: 1 });
    const after = await serveInProcess(target);
    expect([await click(after, used), await click(after, unused)]).toEqual([409, 200]);
    await after.stop();

    const again = await command(['copy', database.url, target, '--json'], database);
    const refusal = expect.stringMatching(/is not empty: it has the blog news/);
    expect(again).toMatchObject({ code: 2, stdout: '', stderr: refusal });
  });
});

describe('copy', () => {
  it('a backup can be restored, and --keep keeps the newest backups', async () => {
    const others = ['b-2025-01-01.db.old', 'c-2025-01-01.db', 'b-latest.db'];
    const cwd = await temporaryFolder().write({
      'blog.json': JSON.stringify({ blogs: [TEST_BLOG] }),
      ...Object.fromEntries([...others, 'b-2025-12-31.db', 'b-2025-12-31.db-wal'].map((name) => [`b/${name}`, ''])),
    });
    await command(['import', 'blog.json', '--database', 'sqlite:one.db'], { cwd });
    for (const day of ['01', '02', '03']) {
      const made = await command(['copy', 'sqlite:one.db', `sqlite:b/b-2026-01-${day}.db`, '--keep', '2'], { cwd });
      expect(made.code).toBe(0);
    }
    // Nothing stands beside the copies.
    const left = await readdir(join(cwd, 'b'));
    expect(left.sort()).toEqual([...others, 'b-2026-01-02.db', 'b-2026-01-03.db'].sort());
    const made = await command(['copy', 'sqlite:one.db', 'sqlite:b/b-2020-01-01.db', '--keep', '2'], { cwd });
    expect([made.code, await readdir(join(cwd, 'b'))]).toEqual([0, expect.arrayContaining(['b-2020-01-01.db'])]);
    expect((await command(['copy', 'sqlite:b/b-2026-01-03.db', 'sqlite:restored.db'], { cwd })).code).toBe(0);
    const exported = async (name: string) =>
      (await command(['export', 'news', '--database', `sqlite:${name}.db`], { cwd })).stdout;
    expect(await exported('restored')).toBe(await exported('one'));
  });

  it('a copy that fails leaves no file, and --keep counts only complete copies', async () => {
    const cwd = await temporaryFolder().write({ 'blog.json': JSON.stringify({ blogs: [TEST_BLOG] }) });
    const copy = (from: string, day: number, ...more: string[]) =>
      command(['copy', `sqlite:${from}.db`, `sqlite:b/b-2026-01-0${day}.db`, '--keep', '3', ...more], { cwd });
    await command(['import', 'blog.json', '--database', 'sqlite:one.db'], { cwd });
    await command(['copy', 'sqlite:one.db', 'sqlite:broken.db'], { cwd });
    const broken = new DatabaseSync(join(cwd, 'broken.db'));
    broken.exec('drop table images');
    broken.close();
    expect((await copy('one', 1)).code).toBe(0);
    for (const day of [2, 3]) {
      expect(await copy('broken', day)).toMatchObject({ code: 1, stdout: '' });
      expect(await readdir(join(cwd, 'b'))).toEqual(['b-2026-01-01.db']);
    }
    // A file in the state in which failed copies used to leave it.
    await command(['copy', 'sqlite:one.db', 'sqlite:b/b-2026-01-04.db'], { cwd });
    const empty = new DatabaseSync(join(cwd, 'b/b-2026-01-04.db'));
    empty.exec('delete from blogs');
    empty.close();
    for (const day of [5, 6]) expect((await copy('one', day)).code).toBe(0);
    const files = async () => (await readdir(join(cwd, 'b'))).filter((name) => name.endsWith('.db')).sort();
    expect(await files()).toEqual([1, 4, 5, 6].map((day) => `b-2026-01-0${day}.db`));
    expect((await copy('one', 7)).code).toBe(0);
    expect(await files()).toEqual([5, 6, 7].map((day) => `b-2026-01-0${day}.db`));
  });

  it.each([
    ['a missing source', ['sqlite:none.db', 'sqlite:new.db'], /no database at none\.db/],
    ['a URL without a scheme', ['none.db', 'sqlite:new.db'], /FROM: expected sqlite:PATH or postgres/],
    ['a source in memory', ['sqlite::memory:', 'sqlite:new.db'], /FROM: sqlite::memory: is empty/],
    ['a target in memory', ['sqlite:one.db', 'sqlite::memory:'], /TO: sqlite::memory: is empty/],
    [
      'a path that looks like a host',
      ['sqlite:one.db', 'sqlite://new.db'],
      /TO: .*; write sqlite:new.db, or sqlite:\/new/,
    ],
    [
      '--keep if TO has no date in its name',
      ['sqlite:one.db', 'sqlite:two.db', '--keep', '14'],
      /--keep: TO must be sqlite:PATH with a date/,
    ],
    [
      '--keep if only the folder of TO has a date in its name',
      ['sqlite:one.db', 'sqlite:./2026-01-31/two.db', '--keep', '14'],
      /--keep: TO must be sqlite:PATH with a date/,
    ],
    ['--keep 0', ['sqlite:one.db', 'sqlite:b-2026-01-01.db', '--keep', '0'], /--keep: expected a whole number/],
    ['the same database as FROM and TO', ['sqlite:one.db', 'sqlite:one.db'], /the same database/],
    [
      'a FROM that does not exist',
      ['sqlite:one.db', 'sqlite:two.db'],
      /^broadsheet: FROM: there is no database at one.db/,
    ],
  ])('copy refuses %s', async (_, args, message) => {
    const cwd = await temporaryFolder().write({});
    const refused = await command(['copy', ...args], { cwd });
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(await readdir(cwd)).toEqual([]);
  });
});
