import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { describeDatabases } from '../../../../tools/testing/databases.ts';
import { queryPostgres } from '../../../../tools/testing/query-postgres.ts';
import { openStore } from '../../../management/src/open-store.ts';
import { command } from '../../test/command.ts';

describeDatabases('stats', (database) => {
  it('stats can show 140,000 placements', async () => {
    const store = await openStore(database.url);
    await store.createBlog({ id: 'news', name: 'News', domains: [] });
    await store.close();
    const fill = (day: string, numbers: string) => `insert into placement_counts
      (blog_id, day, placement, ad_id, slots, clicks) select 'news', ${day}, 'slot ' || n, '', 1, 0 ${numbers}`;
    if (database.kind === 'SQLite') {
      const file = new DatabaseSync(database.url.slice('sqlite:'.length));
      file.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 140000)
        ${fill("date('2026-01-01', '+' || (n / 200) || ' days')", 'from numbers')}`);
      file.close();
    } else {
      await queryPostgres(
        database.url,
        fill("(date '2026-01-01' + n / 200)::text", 'from generate_series(1, 140000) as n'),
      );
    }
    const { code, stdout } = await command(['stats', 'news', '--database', database.url], database);
    expect(code).toBe(0);
    expect(stdout).toContain('slot 140000');
    expect(stdout.split('\n').length).toBeGreaterThan(140_000);
  });
});
