import { DatabaseSync } from 'node:sqlite';
import { openStore } from '@broadsheet/store/node';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { command } from './command.ts';

it('stats can show 140,000 placements', async () => {
  const folder = temporaryFolder();
  const path = folder.join('stats.db');
  const store = await openStore(`sqlite:${path}`);
  await store.createBlog({ id: 'news', name: 'News', domains: [] });
  await store.close();
  const file = new DatabaseSync(path);
  file.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 140000)
    insert into counts (blog_id, day, ad_id, campaign_id, placement, traffic, delivered)
    select 'news', date('2026-01-01', '+' || (n / 200) || ' days'), '', '', 'slot ' || n, 'valid', 1 from numbers`);
  file.close();
  const { code, stdout } = await command(['stats', 'news', '--database', `sqlite:${path}`], { cwd: folder.path });
  expect(code).toBe(0);
  expect(stdout).toContain('slot 140000');
  expect(stdout.split('\n').length).toBeGreaterThan(140_000);
});
