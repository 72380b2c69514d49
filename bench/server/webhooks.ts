import { openStore } from '../../packages/store/src/node.ts';
import { bodyOf, openSite } from '../../tools/testing/site.ts';
import { waitUntil } from '../../tools/testing/wait-until.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';
import { cache, storedDatabase } from './database.ts';
import { startPostgres } from './postgres.ts';
import { serve } from './serve.ts';

const POSTS = 20;
const PROCESSES = 3;

/**
 * The time from a change to the arrival of its webhook with three processes on PostgreSQL, and the messages that are
 * lost when two die.
 */
export async function webhooks({ quick, say }: BenchOptions): Promise<Finding[]> {
  const postgres = await startPostgres(`${cache}postgres`);
  const arrived = new Map<string, number>();
  const site = await openSite(async (request, response) => {
    const { type, data } = JSON.parse(await bodyOf(request));
    arrived.set(`${type} ${data.revision} ${data.id}`, performance.now());
    response.writeHead(204).end();
  });
  try {
    const url = await storedDatabase(postgres, 'webhooks-', async () => {});
    return await measure({ quick, say }, url, site.url, arrived);
  } finally {
    await site.close();
    await postgres.stop();
  }
}

async function measure(
  { quick, say }: BenchOptions,
  url: string,
  receiver: string,
  arrived: ReadonlyMap<string, number>,
): Promise<Finding[]> {
  const store = await openStore(url);
  const blog = crypto.randomUUID();
  const start = () => serve(url, { ALLOW_PRIVATE_WEBHOOKS: '1' });
  const servers = await Promise.all(Array.from({ length: PROCESSES }, start));
  let title = 0;
  const change = (posts: number) => {
    title += 1;
    const ids = Array.from({ length: posts }, (_, index) => `p${index}`);
    const written = ids.map((id) => ({ id, slug: id, title: String(title) }));
    return store.putBlog({ id: blog, name: 'B', posts: written }, Date.now());
  };
  try {
    say('server.webhooks');
    await change(POSTS);
    await store.addHook(blog, { id: 'h', url: receiver, types: ['post.updated'], secret: 'whsec_AAAA' }, Date.now());
    const times: number[] = [];
    for (let round = 0; round < (quick ? 5 : 20); round += 1) {
      const before = arrived.size;
      await change(1);
      const changed = performance.now();
      await waitUntil('a webhook arrives', () => arrived.size > before);
      times.push(Math.max(...arrived.values()) - changed);
    }
    const changes = quick ? 6 : 30;
    for (let index = 0; index < changes; index += 1) {
      await change(POSTS);
      if (index % (changes / 2) === 1) await servers.shift()?.kill();
    }
    // A newer message about a post replaces older ones that have not arrived.
    const [newest] = await store.listHookMessages(blog, 1);
    const missing = () =>
      POSTS - [...arrived.keys()].filter((key) => key.includes(` ${newest?.event.data.revision} `)).length;
    await waitUntil('the newest webhooks arrive', () => missing() === 0, 120_000).catch(() => {});
    const note = `slowest of ${times.length} ${Math.round(Math.max(...times))} ms; three processes, PostgreSQL`;
    return [
      { id: 'server.webhook', ours: median(times), note },
      {
        id: 'server.webhook-lost',
        ours: missing(),
        note: `${changes} changes of ${POSTS} posts, two processes killed`,
      },
    ];
  } finally {
    await store.deleteBlog(blog);
    await Promise.all(servers.map((server) => server.stop()));
    await store.close();
  }
}
