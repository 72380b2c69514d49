import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../packages/store/src/node.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { run } from '../child.ts';
import { generateBlog } from '../generate-blog.ts';
import { batch } from './batch.ts';
import { KEY } from './database.ts';
import { type LoadPlan, READERS, sendLoad } from './load-plan.ts';
import { serve } from './serve.ts';

/** Deliveries and reads that fail while `broadsheet import` writes many posts into the database of the server. */
export async function importing({ quick, say }: BenchOptions): Promise<Finding[]> {
  const posts = quick ? 10_000 : 100_000;
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-bench-import-'));
  try {
    const [database, file] = [`sqlite:${join(folder, 'bench.db')}`, join(folder, 'snapshot.json')];
    const store = await openStore(database);
    await store.importBlogs(
      generateBlog({ id: 'bench', apiKey: KEY, posts: 1_000, content: 2_200, ads: 50 }),
      Date.now(),
    );
    await store.close();
    // The first part has the labels and the others have posts, but a snapshot file contains everything.
    const parts = [...generateBlog({ id: 'large', apiKey: `${KEY}-large`, posts, content: 1_000, ads: 0 })];
    const blog = { ...parts[0], posts: parts.flatMap((part) => part.posts ?? []) };
    await writeFile(file, JSON.stringify({ blogs: [blog] }));
    const server = await serve(database);
    try {
      say(`${posts.toLocaleString('en')} posts are being imported`);
      const responses = { reads: 0, batches: 0 };
      let refused = 0;
      let running = true;
      const imported = run(['packages/server/src/main.ts', 'import', file, '--database', database]).finally(() => {
        running = false;
      });
      // It is awaited below, after the clients. Until then, a rejection would be unhandled.
      imported.catch(() => undefined);
      const common = { url: server.url, key: KEY, from: 0, modulo: 900, connections: 4, ms: 1_000 };
      const keepSending = async (kind: keyof typeof responses, plan: LoadPlan): Promise<void> => {
        while (running) {
          const sent = await sendLoad(plan);
          responses[kind] += sent.responses;
          refused += sent.failures;
        }
      };
      await Promise.all([
        keepSending('reads', { ...common, method: 'GET', path: '/public/posts?limit=10&offset={n}' }),
        keepSending('batches', {
          ...common,
          method: 'POST',
          path: '/public/ads/formats',
          body: batch,
          readers: READERS,
        }),
      ]);
      const { ms } = await imported;
      const { reads, batches } = responses;
      const note = `${posts.toLocaleString('en')} posts in ${(ms / 1000).toFixed(1)} s; ${reads.toLocaleString('en')} reads, ${batches.toLocaleString('en')} batches`;
      return [{ id: 'server.import', ours: refused, note }];
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
