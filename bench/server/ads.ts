import type { BenchOptions, Finding } from '../budget.ts';
import type { Started } from '../child.ts';
import { median } from '../median.ts';
import { databaseOf, KEY } from './database.ts';
import { load, READERS } from './load-plan.ts';
import { serve } from './serve.ts';

const FEW = 10;
const MANY = 10_000;
/** The first request fills the server's cache of ads. Every commit of impressions is durable. */
const PLAN = {
  method: 'GET',
  path: '/public/ads/formats/BANNER',
  key: KEY,
  from: 0,
  modulo: 1,
  readers: READERS,
  connections: 64,
} as const;

/** Selects an ad and counts its impression, alternating between a blog with many ads and one with few. */
export async function ads({ quick, say }: BenchOptions): Promise<Finding[]> {
  const servers: Started[] = [];
  try {
    for (const count of [FEW, MANY]) {
      const database = await databaseOf({ posts: 100, content: 200, ads: count }, say);
      servers.push(await serve(database));
    }
    say('ad selection');
    const microseconds = servers.map((): number[] => []);
    for (let round = -1; round < (quick ? 3 : 11); round += 1) {
      for (const [index, { url }] of servers.entries()) {
        const { perSecond } = await load({ ...PLAN, url, ms: quick ? 400 : 2_000 });
        if (round >= 0) microseconds[index]?.push(1e6 / perSecond);
      }
    }
    const [few = [], many = []] = microseconds;
    return [
      {
        id: 'server.ads',
        ours: median(many),
        reference: median(few),
        ratio: median(many.map((value, index) => value / (few[index] ?? Number.NaN))),
        note: '10,000 ads compared with 10; a fifth have the format, two of these the highest priority; durable impressions, 64 connections',
      },
    ];
  } finally {
    for (const server of servers) await server.stop();
  }
}
