import { mkdirSync, rmSync } from 'node:fs';
import { openStore } from '../../packages/store/src/node.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';
import { batch } from './batch.ts';
import { cache } from './database.ts';
import { type LoadPlan, load, READERS } from './load-plan.ts';
import { serve } from './serve.ts';

const BLOGS = ['loud', 'quiet'] as const;

/** The median time of one blog's deliveries while another blog is flooded, alternating with rounds without one. */
export async function fairness({ quick, say }: BenchOptions): Promise<Finding[]> {
  mkdirSync(cache, { recursive: true });
  const path = `${cache}fairness.db`;
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  const store = await openStore(`sqlite:${path}`);
  await store.importBlogs(BLOGS.map(blogOf), Date.now());
  await store.close();
  const server = await serve(`sqlite:${path}`);
  try {
    say('server.fairness');
    const ms = quick ? 1_500 : 4_000;
    const plan = (blog: (typeof BLOGS)[number], connections: number, ms: number): LoadPlan => ({
      url: server.url,
      method: 'POST',
      path: '/public/ads/formats',
      body: batch,
      key: keyOf(blog),
      from: 0,
      modulo: 1,
      readers: READERS,
      connections,
      ms,
    });
    const [alone, flooded]: [number[], number[]] = [[], []];
    await load(plan('quiet', 4, ms));
    for (let round = 0; round < (quick ? 3 : 7); round += 1) {
      alone.push((await load(plan('quiet', 4, ms))).median);
      // The flood begins before and ends after what is measured.
      const flood = load(plan('loud', 64, ms * 2));
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, ms / 2);
      await promise;
      flooded.push((await load(plan('quiet', 4, ms))).median);
      await flood;
    }
    return [
      {
        id: 'server.fairness',
        ours: median(flooded),
        reference: median(alone),
        ratio: median(flooded.map((value, index) => value / (alone[index] ?? Number.NaN))),
        note: 'batches of 4 on SQLite; 4 connections, while another blog has 64 connections that never wait',
      },
    ];
  } finally {
    await server.stop();
  }
}

const keyOf = (blog: string): string => `bench-key-of-blog-${blog}`;

const blogOf = (blog: string, place: number) => ({
  id: blog,
  name: blog,
  apiKeys: [keyOf(blog)],
  ads: (['BANNER', 'SIDEBAR', 'INLINE', 'POPUP'] as const).map((format, index) => ({
    id: `00000000-0000-4000-8000-${String(place * 10 + index).padStart(12, '0')}`,
    format,
    title: `An ad of ${blog}`,
  })),
});
