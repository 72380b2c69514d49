import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AD_FORMATS } from '../../packages/contract/src/rules/enums.ts';
import { openStore } from '../../packages/store/src/node.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';
import { batch } from './batch.ts';
import { load, READERS } from './load-plan.ts';
import { serve } from './serve.ts';

const DAY = 24 * 60 * 60 * 1000;
const BLOGS = ['plain', 'campaign'] as const;

/** Two blogs with the same ads. In the second, all ads are in a campaign with a goal, a cap and an even pace. */
async function fill(url: string): Promise<void> {
  const store = await openStore(url);
  const now = Date.now();
  const [startsAt, endsAt] = [now - DAY, now + DAY].map((at) => new Date(at).toISOString());
  const bounds = { startsAt, endsAt, goal: { impressions: 1e11 }, perDay: 1e11 };
  for (const id of BLOGS) {
    const own = id === 'campaign' ? { campaignId: 'c' } : {};
    await store.putBlog(
      {
        ...{ id, name: id, apiKeys: [id], campaigns: [{ id: 'c', sponsor: 'Tea', name: 'Spring', ...bounds }] },
        ads: AD_FORMATS.map((format) => ({ id: crypto.randomUUID(), format, title: 'Tea', ...own })),
      },
      now,
    );
  }
  await store.close();
}

/** Durable batches of ads in a campaign, alternating with batches of ads without one. */
export async function campaign({ quick, say }: BenchOptions): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'broadsheet-bench-'));
  const database = `sqlite:${join(folder, 'campaign.db')}`;
  await fill(database);
  const server = await serve(database);
  try {
    say('server.campaign');
    const plan = { url: server.url, method: 'POST', path: '/public/ads/formats', body: batch } as const;
    const rounds: number[][] = [];
    for (let round = -1; round < (quick ? 3 : 7); round += 1) {
      const speeds: number[] = [];
      for (const key of BLOGS) {
        const sent = { ...plan, key, from: 0, modulo: 1, readers: READERS, connections: 64, ms: quick ? 1_500 : 4_000 };
        speeds.push((await load(sent)).perSecond);
      }
      if (round >= 0) rounds.push(speeds);
    }
    const of = (index: number) => rounds.map((speeds) => speeds[index] ?? Number.NaN);
    const ratio = median(rounds.map(([plain = Number.NaN, sold = Number.NaN]) => sold / plain));
    const note = 'durable batches of 4 on SQLite, 64 connections; each ad in a campaign with a goal, a cap and a pace';
    return [{ id: 'server.campaign', ours: median(of(1)), reference: median(of(0)), ratio, note }];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
