import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { serve } from '../../test/broadsheet.ts';
import { command } from '../../test/command.ts';

test('a campaign is added with an ad, ends at its goal, and is reported', async () => {
  const cwd = temporaryFolder().path;
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(args, { cwd });
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));
  const { apiKey } = await json('blogs', 'create', 'shop');
  const flags = ['--sponsor', 'Tea & Co', '--name', 'Spring', '--goal-impressions', '3', '--pace', 'fast'];
  const campaign = await json('campaigns', 'add', 'shop', ...flags, '--per-day', '100');
  expect(campaign).toMatchObject({ sponsor: 'Tea & Co', goal: { impressions: 3 }, perDay: 100, pace: 'fast' });
  const ad = ['ads', 'add', 'shop', '--format', 'BANNER', '--title'];
  const { id } = await json(...ad, 'Tea', '--priority', '9', '--campaign', campaign.id);
  const other = await json(...ad, 'House');
  const server = await serve([], { cwd });
  try {
    const deliver = async () => {
      const headers = { 'X-API-Key': apiKey };
      return (await fetch(`${server.url}/public/ads/formats/BANNER`, { headers })).json();
    };
    const delivered = await Promise.all(Array.from({ length: 50 }, deliver));
    expect(delivered.filter((one) => one.id === id)).toHaveLength(3);
    expect(delivered.filter((one) => one.id === other.id)).toHaveLength(47);
    expect(JSON.stringify(delivered)).not.toContain('campaign');
  } finally {
    await server.stop();
  }
  expect(await run('campaigns', 'list', 'shop')).toMatch(/Tea & Co +Spring +reached +3 +0 +3 impressions, 100 %/);
  expect(await run('campaigns', 'report', 'shop', campaign.id)).toContain('3 impressions, 0 clicks, CTR 0.00 %');
  expect((await json('stats', 'shop')).campaigns).toMatchObject([{ id: campaign.id, impressions: 3, clicks: 0 }]);
  expect(await run('stats', 'shop')).toMatch(/Tea & Co: Spring +3/);
  expect(await run('campaigns', 'edit', 'shop', campaign.id, '--goal-impressions', '5')).toContain(
    'goal: {"impressions":3} -> {"impressions":5}',
  );
  const wrong = await command(['campaigns', 'edit', 'shop', 'unknown', '--per-day', '5'], { cwd });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('There is no campaign "unknown" in shop')]);
});
