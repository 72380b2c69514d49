import { DatabaseSync } from 'node:sqlite';
import { fold } from '../../packages/core/src/content/fold.ts';
import { queryPostgres } from '../../tools/testing/query-postgres.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import type { Started } from '../child.ts';
import { median } from '../median.ts';
import { type BlogShape, cache, databaseOf, KEY, postgresDatabaseOf } from './database.ts';
import { type BenchPostgres, startPostgres } from './postgres.ts';
import { type SearchKind, searchKinds } from './searches.ts';
import { serve } from './serve.ts';

interface Server extends Started {
  readonly posts: number;
  readonly database: string;
}

/** Milliseconds of one request with few posts and with many, and of a scan of the many. */
interface Times {
  readonly name: string;
  readonly few: number;
  readonly many: number;
  readonly scan: number;
}

/** How one database is measured. */
interface Engine {
  /** The suffix of the ids of its rows. */
  readonly suffix: '' | '-postgres';
  open(shape: BlogShape): Promise<string>;
  /** Runs a statement without the search index. */
  scan(database: string, statement: string): Promise<unknown>;
}

const CONTENT = 200;

/** Search and deep offset on SQLite. */
export const scale = (options: BenchOptions): Promise<Finding[]> =>
  measure(options, {
    suffix: '',
    open: (shape) => databaseOf(shape, options.say),
    async scan(database, statement) {
      const connection = new DatabaseSync(database.slice('sqlite:'.length), { readOnly: true });
      connection.exec('pragma mmap_size = 1073741824');
      connection.prepare(statement).all();
      connection.close();
    },
  });

/** Search and deep offset on PostgreSQL. */
export async function scaleOnPostgres(options: BenchOptions): Promise<Finding[]> {
  const postgres: BenchPostgres = await startPostgres(`${cache}postgres`);
  try {
    return await measure(options, {
      suffix: '-postgres',
      open: (shape) => postgresDatabaseOf(postgres, shape, options.say),
      scan: (database, statement) => queryPostgres(database, `set enable_bitmapscan = off; ${statement}`),
    });
  } finally {
    await postgres.stop();
  }
}

async function measure({ quick, say }: BenchOptions, engine: Engine): Promise<Finding[]> {
  const sizes = quick ? [3_000, 30_000] : [10_000, 100_000];
  const rounds = quick ? 8 : 40;
  const servers: Server[] = [];
  try {
    for (const posts of sizes) {
      const database = await engine.open({ posts, content: CONTENT });
      const server = await serve(database);
      servers.push({ ...server, posts, database });
    }
    say(`server.search${engine.suffix}`);
    const searches: Times[] = [];
    for (const kind of searchKinds) {
      const path = (_: number, round: number) => `/public/search?q=${encodeURIComponent(kind.typed(round))}`;
      const times = await inTurns(servers, path, rounds);
      searches.push({ name: kind.name, ...times, scan: await scanTime(engine, servers.at(-1)?.database ?? '', kind) });
    }
    say(`server.deep-offset${engine.suffix}`);
    // Distributed over the older half of the blog, so that no page is requested twice.
    const depth = (posts: number, round: number) => posts - 20 - Math.floor((round * posts) / (2 * rounds));
    const offset = await inTurns(servers, (posts, round) => `/public/posts?offset=${depth(posts, round)}`, rounds);
    const [few, many] = sizes.map((posts) => posts.toLocaleString('en'));
    const note = `${many} posts compared with ${few}${quick ? ' (100,000 with 10,000 without --quick)' : ''}`;
    return [
      ...findingsOf(searches, engine.suffix, note),
      { id: `server.deep-offset${engine.suffix}`, ours: offset.many, reference: offset.few, note },
    ];
  } finally {
    for (const server of servers) await server.stop();
  }
}

function findingsOf(searches: readonly Times[], suffix: Engine['suffix'], note: string): Finding[] {
  const ours = mean(searches.map(({ many }) => many));
  const relativeTo = (id: string, reference: 'few' | 'scan'): Finding => {
    const all = searches.map(
      (times) => `${times.name} ${(times.many / times[reference]).toFixed(2)}x (${times.many.toFixed(1)} ms)`,
    );
    return {
      id: `${id}${suffix}`,
      ours,
      reference: mean(searches.map((times) => times[reference])),
      ratio: mean(searches.map((times) => times.many / times[reference])),
      note: `${note}; ${all.join(', ')}`,
    };
  };
  return [relativeTo('server.search', 'few'), relativeTo('server.search-scan', 'scan')];
}

/** Milliseconds of the same searches as a scan of all texts in the same order, without the server. */
async function scanTime({ scan }: Engine, database: string, { typed }: SearchKind): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const terms = fold(typed(round))
      .split(' ')
      .map((term) => term.replaceAll("'", "''"));
    const matches = terms.map((term) => `text like '%${term}%'`).join(' and ');
    // The first line of a text is the title.
    const rank = terms.map((term) => `case when text like '%${term}%\n%' then 1 else 0 end`).join(' + ');
    const started = performance.now();
    await scan(
      database,
      `select post_id, ${rank} as rank from post_texts where blog_id = 'bench' and ${matches}
        order by rank desc, sort_key desc limit 10`,
    );
    times.push(performance.now() - started);
  }
  return Math.min(...times);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Medians over rounds of the fastest of five requests that differ only in their limit: other load makes single requests
 * slower, never faster. The first rounds warm up the deep pages and are not counted.
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

/** Milliseconds of one request. @throws Error if it fails */
async function timeOf(url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { headers: { 'x-api-key': KEY } });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}: ${body.slice(0, 200)}`);
  return performance.now() - started;
}
