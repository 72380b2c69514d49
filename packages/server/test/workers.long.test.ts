import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFORMANCE_KEYS, conformanceSnapshot } from '@broadsheet/conformance';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { TEST_BLOG } from '../../http/test/memory-server-store.ts';
// Imported by path, because the mock is not a dependency of this package.
import { parity } from '../../mock-server/src/cli/parity.ts';
import { type Deployment, deploy } from '../../workers/test/deployment.ts';
import { command } from './command.ts';
import { deliverUntilGone, noEvents } from './events.ts';

const KILLS = Number(process.env['KILLS'] ?? 5);
const REPLAYS = 600;
const folder = temporaryFolder();

async function json({ url, token }: Deployment, ...args: readonly string[]) {
  const options = { cwd: folder.path, env: { BROADSHEET_ADMIN_TOKEN: token } };
  const { code, stdout, stderr } = await command([...args, '--json', '--database', url], options);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function fill(deployment: Deployment, blogs: readonly unknown[]): Promise<void> {
  await writeFile(join(folder.path, 'blogs.json'), JSON.stringify({ blogs }));
  await json(deployment, 'import', 'blogs.json');
}

async function adCounts(deployment: Deployment, blog: string): Promise<{ impressions: number; clicks: number }> {
  const { ads } = (await json(deployment, 'stats', blog)) as { ads: { impressions: number; clicks: number }[] };
  const sum = (of: 'impressions' | 'clicks') => ads.reduce((total, ad) => total + ad[of], 0);
  return { impressions: sum('impressions'), clicks: sum('clicks') };
}

it(`killing the engine under load ${KILLS} times loses no acknowledged event`, async () => {
  const storage = temporaryFolder().path;
  const events = noEvents();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const deployment = await deploy({ folder: storage });
    if (kill === 0) await fill(deployment, [TEST_BLOG]);
    const loops = Array.from({ length: 16 }, (_, loop) =>
      deliverUntilGone(deployment.url, kill * 16 + loop, events, 'CF-Connecting-IP'),
    );
    const before = events.clicks;
    await expect.poll(() => events.clicks - before, { interval: 1, timeout: 60_000 }).toBeGreaterThan(50 * (kill + 1));
    await deployment.kill();
    await Promise.all(loops);
  }
  const deployment = await deploy({ folder: storage });
  try {
    const counted = await adCounts(deployment, 'news');
    expect(counted.impressions).toBeGreaterThanOrEqual(events.impressions);
    expect(counted.clicks).toBeGreaterThanOrEqual(events.clicks);
    expect(counted.impressions).toBeLessThanOrEqual(events.sentImpressions);
    expect(counted.clicks).toBeLessThanOrEqual(events.sentClicks);
  } finally {
    await deployment.stop();
  }
});

it(`${REPLAYS} replays of one token count one click`, async () => {
  const deployment = await deploy();
  try {
    await fill(deployment, [TEST_BLOG]);
    const headers = { 'X-API-Key': 'test-key', 'Content-Type': 'application/json', Connection: 'close' };
    const delivery = await fetch(`${deployment.url}/public/ads/formats/BANNER`, { headers });
    const body = JSON.stringify({ clickToken: ((await delivery.json()) as { clickToken: string }).clickToken });
    const statuses = await Promise.all(
      Array.from({ length: REPLAYS }, async () => {
        const response = await fetch(`${deployment.url}/public/ads/tracking/click`, { method: 'POST', headers, body });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(REPLAYS - 1);
    expect(await adCounts(deployment, 'news')).toEqual({ impressions: 1, clicks: 1 });
  } finally {
    await deployment.stop();
  }
});

it('parity of the mock and a deployment finds no difference, including clicks', async () => {
  const deployment = await deploy();
  try {
    await fill(deployment, conformanceSnapshot.blogs);
    const lines: string[] = [];
    const { differences } = await parity({
      url: deployment.url,
      apiKey: CONFORMANCE_KEYS.main,
      clicks: true,
      write: (line) => void lines.push(line),
    });
    expect(differences, lines.join('\n')).toBe(0);
    expect(lines.at(-1)).toMatch(/^\d\d+ promises, 0 differences$/);
  } finally {
    await deployment.stop();
  }
});
