import { openStore } from '../../packages/store/src/node.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';
import { batch } from './batch.ts';
import { cache, storedDatabase } from './database.ts';
import { load, READERS } from './load-plan.ts';
import { startPostgres } from './postgres.ts';
import { serve } from './serve.ts';

const BLOGS = 5_000;
const FORMATS = ['BANNER', 'SIDEBAR', 'INLINE', 'POPUP'] as const;

/** Batches with the keys of many blogs on PostgreSQL, alternating with batches of one of these blogs. */
export async function blogs({ quick, say }: BenchOptions): Promise<Finding[]> {
  const postgres = await startPostgres(`${cache}postgres`);
  try {
    const database = await storedDatabase(postgres, `blogs-${BLOGS}-`, (url) => fill(url, say));
    const server = await serve(database);
    try {
      say('server.blogs');
      const plan = {
        url: server.url,
        method: 'POST',
        path: '/public/ads/formats',
        body: batch,
        readers: READERS,
        connections: 64,
      } as const;
      const ms = quick ? 1_500 : 4_000;
      const [many, one]: [number[], number[]] = [[], []];
      let from = 0;
      // Every blog is requested once before the measurement, which compares the caches of the server.
      while (from < BLOGS) from += (await load({ ...plan, key: keyOf('{n}'), from, modulo: BLOGS, ms })).responses;
      for (let round = 0; round < (quick ? 5 : 9); round += 1) {
        const all = await load({ ...plan, key: keyOf('{n}'), from, modulo: BLOGS, ms });
        const single = await load({ ...plan, key: keyOf('0'), from: 0, modulo: BLOGS, ms });
        from += all.responses;
        many.push(all.perSecond);
        one.push(single.perSecond);
      }
      return [
        {
          id: 'server.blogs',
          ours: median(many),
          reference: median(one),
          ratio: median(many.map((value, index) => value / (one[index] ?? Number.NaN))),
          note: `${BLOGS.toLocaleString('en')} blogs of four ads compared with one of them; 64 connections; PostgreSQL with fsync off`,
        },
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await postgres.stop();
  }
}

const keyOf = (blog: string): string => `bench-key-of-blog-${blog}`;

async function fill(url: string, say: BenchOptions['say']): Promise<void> {
  say(`PostgreSQL: ${BLOGS.toLocaleString('en')} blogs are being written`);
  const store = await openStore(url);
  await store.importBlogs(
    Array.from({ length: BLOGS }, (_, blog) => ({
      id: `blog-${blog}`,
      name: `Blog ${blog}`,
      apiKeys: [keyOf(String(blog))],
      ads: FORMATS.map((format, index) => ({
        id: `00000000-0000-4000-8000-${String(blog * 10 + index).padStart(12, '0')}`,
        format,
        title: `An ad of blog ${blog}`,
        linkUrl: 'https://shop.example/',
      })),
    })),
    Date.UTC(2026, 0, 1),
  );
  await store.close();
}
