import type { BenchOptions, Finding } from '../budget.ts';
import { type Started, startServer } from '../child.ts';
import { median } from '../median.ts';
import { type BlogShape, cache, databaseOf, KEY, postgresDatabaseOf } from './database.ts';
import { type BenchPostgres, startPostgres } from './postgres.ts';
import { searchKinds } from './searches.ts';

interface Server extends Started {
  readonly posts: number;
}

/** Milliseconds of one request, with few posts and with many. */
interface Pair {
  readonly name: string;
  readonly few: number;
  readonly many: number;
}

const CONTENT = 200;

/** Search and deep offset over SQLite. */
export const scale = (options: BenchOptions): Promise<Finding[]> =>
  measure(options, 'server.search', 'server.deep-offset', (shape) => databaseOf(shape, options.say));

/** The same over PostgreSQL. */
export async function scaleOnPostgres(options: BenchOptions): Promise<Finding[]> {
  const postgres: BenchPostgres = await startPostgres(`${cache}postgres`);
  try {
    return await measure(options, 'server.search-postgres', 'server.deep-offset-postgres', (shape) =>
      postgresDatabaseOf(postgres, shape, options.say),
    );
  } finally {
    await postgres.stop();
  }
}

async function measure(
  { quick, say }: BenchOptions,
  searchId: string,
  offsetId: string,
  open: (shape: BlogShape) => Promise<string>,
): Promise<Finding[]> {
  const sizes = quick ? [3_000, 30_000] : [10_000, 1_000_000];
  const rounds = quick ? 8 : 40;
  const servers: Server[] = [];
  try {
    for (const posts of sizes) {
      const database = await open({ posts, content: CONTENT });
      const server = await startServer(
        ['packages/server/src/main.ts', 'serve', '--port', '0', '--database', database],
        { LOG_LEVEL: 'silent' },
      );
      servers.push({ ...server, posts });
    }
    say(searchId);
    const searches: Pair[] = [];
    for (const { name, typed } of searchKinds) {
      const path = (_: number, round: number) => `/public/search?q=${encodeURIComponent(typed(round))}`;
      searches.push({ name, ...(await inTurns(servers, path, rounds)) });
    }
    say(offsetId);
    // Spread over the lower half of the blog, so that no page is asked for twice.
    const depth = (posts: number, round: number) => posts - 20 - Math.floor((round * posts) / (2 * rounds));
    const offset = await inTurns(servers, (posts, round) => `/public/posts?offset=${depth(posts, round)}`, rounds);
    const [few, many] = sizes.map((posts) => posts.toLocaleString('en'));
    const note = `${many} posts against ${few}${quick ? ' (--quick; 1,000,000 against 10,000 without)' : ''}`;
    const all = searches.map(({ name, few, many }) => `${name} ${(many / few).toFixed(1)}x (${many.toFixed(1)} ms)`);
    return [
      {
        id: searchId,
        ours: mean(searches.map(({ many }) => many)),
        reference: mean(searches.map(({ few }) => few)),
        ratio: mean(searches.map(({ few, many }) => many / few)),
        note: `${note}; ${all.join(', ')}`,
      },
      { id: offsetId, ours: offset.many, reference: offset.few, note },
    ];
  } finally {
    for (const server of servers) await server.stop();
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Medians over rounds of the fastest of five requests that differ in their limit alone: what else the machine does
 * makes single requests slower, never faster. The first rounds go the way down to deep pages, and are not counted.
 */
async function inTurns(
  servers: readonly Server[],
  path: (posts: number, round: number) => string,
  rounds: number,
): Promise<{ few: number; many: number }> {
  const times = servers.map((): number[] => []);
  for (let round = 0; round < rounds + WARM_UP; round += 1) {
    const fastest = servers.map(() => Number.POSITIVE_INFINITY);
    for (const limit of [10, 11, 12, 13, 14]) {
      for (const [index, { url, posts }] of servers.entries()) {
        const ms = await timeOf(`${url}${path(posts, round)}&limit=${limit}`);
        fastest[index] = Math.min(ms, fastest[index] ?? ms);
      }
    }
    if (round >= WARM_UP) for (const [index, ms] of fastest.entries()) times[index]?.push(ms);
  }
  const [few = [], many = []] = times;
  return { few: median(few), many: median(many) };
}

const WARM_UP = 3;

/** Milliseconds of one request. @throws Error when it does not succeed */
async function timeOf(url: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(url, { headers: { 'x-api-key': KEY } });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${body.slice(0, 200)}`);
  return performance.now() - started;
}
