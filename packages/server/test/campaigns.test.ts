import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { command } from './command.ts';
import { serveInProcess } from './in-process.ts';

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
  const server = await serveInProcess(`sqlite:${cwd}/broadsheet.db`);
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
  expect(await run('campaigns', 'list', 'shop')).toMatch(
    /Tea & Co +Spring +reached +3 impressions, 100 % +3 +3 +– +– +0 +0.00 %/,
  );
  expect(await run('campaigns', 'report', 'shop', campaign.id)).toContain(
    '3 impressions, – viewable, 0 clicks, CTR 0.00 %',
  );
  expect((await json('stats', 'shop')).campaigns).toMatchObject([{ id: campaign.id, impressions: 3, clicks: 0 }]);
  expect(await run('stats', 'shop')).toMatch(/Tea & Co: Spring +3/);
  expect(await run('campaigns', 'edit', 'shop', campaign.id, '--goal-impressions', '5')).toContain(
    'goal: {"impressions":3} -> {"impressions":5}',
  );
  expect(await run('campaigns', 'pause', 'shop', campaign.id)).toBe('Paused the campaign “Spring”.\n');
  expect(await run('campaigns', 'list', 'shop')).toMatch(/Tea & Co +Spring +paused/);
  expect(JSON.parse(await run('export', 'shop')).blogs[0].campaigns[0]).toMatchObject({ paused: true });
  expect(await json('campaigns', 'resume', 'shop', campaign.id)).not.toHaveProperty('paused');
  const placed = (...names: string[]) =>
    json('campaigns', 'edit', 'shop', campaign.id, ...names.flatMap((name) => ['--placement', name]));
  expect((await placed('top', 'letterpress-*')).placements).toEqual(['top', 'letterpress-*']);
  const exported = JSON.parse(await run('export', 'shop'));
  expect(exported.blogs[0].campaigns[0].placements).toEqual(['top', 'letterpress-*']);
  expect(await run('campaigns', 'report', 'shop', campaign.id)).toContain('Placements: top, letterpress-*');
  expect(await placed('')).not.toHaveProperty('placements');
  const star = await command(['campaigns', 'edit', 'shop', campaign.id, '--placement', 'a*b'], { cwd });
  expect([star.code, star.stderr]).toEqual([
    2,
    expect.stringMatching(/--placement: expected the id of a slot, with \* only at its end/),
  ]);
  const wrong = await command(['campaigns', 'edit', 'shop', 'unknown', '--per-day', '5'], { cwd });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('There is no campaign "unknown" in shop')]);
});

test('the report of a campaign is shared by links, which a running server shows until they are revoked', async () => {
  const cwd = temporaryFolder().path;
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(args, { cwd });
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));
  await run('blogs', 'create', 'shop');
  const campaign = await json('campaigns', 'add', 'shop', '--sponsor', 'Tea & Co', '--name', 'Spring');
  await run('ads', 'add', 'shop', '--format', 'BANNER', '--title', 'Green tea', '--campaign', campaign.id);
  const report = ['campaigns', 'report', 'shop', campaign.id];
  expect(await run(...report)).not.toContain('/report/');
  expect(await run(...report, '--links')).toContain('has no links');
  const server = await serveInProcess(`sqlite:${cwd}/broadsheet.db`);
  try {
    // Nobody was invited to the panel.
    expect((await fetch(`${server.url}/panel`)).status).toBe(404);
    const printed = await run(...report, '--url', `${server.url}/`, '--expires', '90d');
    expect(printed).toContain('0 impressions, – viewable, 0 clicks');
    const link = /http\S+\/report\/[\w-]{43}/.exec(printed)?.[0] ?? '';
    const shown = await fetch(link);
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('Green tea')]);
    const [first] = await json(...report, '--links');
    const days = (Date.parse(first.expiresAt) - Date.parse(first.createdAt)) / 86_400_000;
    expect(days).toBe(90);
    expect(await run(...report, '--links')).toContain(first.id);
    expect(await run(...report, '--revoke', first.id)).toContain(`Revoked the link ${first.id}`);
    expect((await fetch(link)).status).toBe(404);
    const second = await json(...report, '--link', '--url', server.url);
    expect(second).toMatchObject({ blog: 'shop', impressions: 0, link: expect.any(String), expiresAt: null });
    expect((await fetch(second.link)).status).toBe(200);
  } finally {
    await server.stop();
  }
  for (const wrong of [
    ['--expires', '2020-01-01'],
    ['--expires', 'soon'],
    ['--link', '--url', 'blog.example'],
    ['--revoke', 'x'],
    ['--links', '--revoke', 'x'],
    ['--links', '--expires', '90d'],
  ]) {
    expect((await command([...report, ...wrong], { cwd })).code, wrong.join(' ')).toBe(2);
  }
});
