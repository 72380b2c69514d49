import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { keepNewest, whyNotKeep } from './keep-newest.ts';

it('deletes the oldest copies with what SQLite keeps beside them, and nothing else', async () => {
  const others = ['backup-2026-01-01.db.old', 'other-2026-01-01.db', 'backup-latest.db', 'broadsheet.db'];
  const days = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02'];
  const copies = days.map((day) => `backup-${day}.db`);
  const folder = await temporaryFolder().write(
    Object.fromEntries([...others, ...copies, 'backup-2025-12-30.db-wal'].map((name) => [name, ''])),
  );
  const target = `sqlite:${join(folder, 'backup-2026-01-02.db')}`;
  expect(await keepNewest(target, 4)).toEqual([]);
  expect(await keepNewest(target, 2)).toEqual(copies.slice(0, 2));
  expect((await readdir(folder)).sort()).toEqual([...others, ...copies.slice(2)].sort());
});

it.each(['postgres://localhost/blog', 'sqlite:./backup.db', 'sqlite:./2026-01-31/backup.db'])(
  '%s has no date',
  (target) => {
    expect(whyNotKeep(target)).toMatch(/^--keep: /);
  },
);
