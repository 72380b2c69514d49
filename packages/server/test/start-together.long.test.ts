import { expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { broadsheet } from './broadsheet.ts';

const PROCESSES = 10;

describeDatabases(`${PROCESSES} processes that start at the same time`, (database) => {
  it('processes that start at the same time can share one empty database', async () => {
    const url = await database.another();
    const made = await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) =>
        broadsheet(['blogs', 'create', `blog-${index}`, '--database', url], database),
      ),
    );
    expect(made.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(made.map(() => ''));
    const { stdout } = await broadsheet(['blogs', 'list', '--json', '--database', url], database);
    const ids = Array.from({ length: PROCESSES }, (_, index) => `blog-${index}`);
    for (const id of ids) expect(stdout).toContain(`"${id}"`);
  });
});
