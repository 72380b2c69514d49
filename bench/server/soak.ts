import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../packages/store/src/node.ts';
import { freePort } from '../../tools/testing/site.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { run } from '../child.ts';
import { median } from '../median.ts';
import { cache } from './database.ts';
import { serve } from './serve.ts';
import type { SoakPlan, SoakResult } from './soak-plan.ts';

const CLIENTS = 200;
const BLOGS = ['attacked', 'other'] as const;
/** Seconds of the attack, unless `SOAK_SECONDS` sets them. */
const SECONDS = 60;

/** The attack is divided into rounds, each of which is compared with the quiet time before it. */
const ROUNDS = 4;
/** The maximum length of a quiet time, in milliseconds. */
const QUIET = 30_000;
/**
 * Milliseconds of the attack that fills the caches before anything is measured, regardless of the length of the main
 * attack.
 */
const WARM_UP = 60_000;

/**
 * Readers of one blog while as many bad clients of every kind attack another, compared with a quiet server: failed
 * requests, the median time, and the memory in use before and after. The server has been read and attacked once before,
 * so that its caches are full.
 */
export async function soak({ quick, say }: BenchOptions): Promise<Finding[]> {
  const ms = 1000 * (Number(process.env['SOAK_SECONDS']) || (quick ? SECONDS / 4 : SECONDS));
  const database = await createBlogs();
  const memoryPort = await freePort();
  const preload = ['--expose-gc', `--import=${new URL('collect-memory.ts', import.meta.url)}`];
  const server = await serve(database, { MEMORY_PORT: String(memoryPort) }, preload);
  const plan = (blog: (typeof BLOGS)[number], ms: number): SoakPlan => ({
    ...{ url: server.url, key: keyOf(blog), clients: CLIENTS, ms },
  });
  const read = (ms: number) => send<SoakResult>('readers.ts', plan('other', ms));
  const attack = (ms: number) => send<Readonly<Record<string, number>>>('bad-clients.ts', plan('attacked', ms));
  try {
    say(`server.soak: ${ms / 1000} s of attacks`);
    const quietTime = Math.min(ms / ROUNDS, QUIET);
    await Promise.all([read(WARM_UP), attack(WARM_UP)]);
    await read(quietTime);
    const before = await memoryAt(memoryPort);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const quiet = await read(quietTime);
      const [attacked, sent] = await Promise.all([read(ms / ROUNDS), attack(ms / ROUNDS)]);
      rounds.push({ quiet, attacked, sent });
    }
    await read(quietTime);
    return findingsOf(rounds, [before, await memoryAt(memoryPort)], ms);
  } finally {
    await server.stop();
  }
}

interface Round {
  readonly quiet: SoakResult;
  readonly attacked: SoakResult;
  /** How many requests of each kind bad clients sent. */
  readonly sent: Readonly<Record<string, number>>;
}

function findingsOf(rounds: readonly Round[], [before, after]: readonly [Memory, Memory], ms: number): Finding[] {
  const sum = (of: (round: Round) => number) => rounds.reduce((all, round) => all + of(round), 0);
  const bad = sum(({ sent }) => Object.values(sent).reduce((all, count) => all + count, 0));
  const kinds = new Set(rounds.flatMap(({ sent }) => Object.keys(sent))).size;
  const good = sum(({ attacked }) => attacked.requests);
  const note = `${ms / 1000} s: ${good} requests of ${CLIENTS} readers beside ${bad} of ${CLIENTS} bad clients of ${kinds} kinds`;
  return [
    { id: 'server.soak-failed', ours: sum(({ quiet, attacked }) => quiet.failures + attacked.failures), note },
    {
      id: 'server.soak',
      ours: median(rounds.map(({ attacked }) => attacked.median)),
      reference: median(rounds.map(({ quiet }) => quiet.median)),
      ratio: median(rounds.map(({ quiet, attacked }) => attacked.median / quiet.median)),
      note,
    },
    {
      id: 'server.soak-memory',
      ours: after.used,
      reference: before.used,
      note: `${ms / 1000} s: after a collection; resident ${before.resident} MiB before, ${after.resident} MiB after`,
    },
  ];
}

/** Runs one of the programs of this folder, and reads what it prints. */
async function send<T>(program: string, plan: SoakPlan): Promise<T> {
  const { out } = await run([fileURLToPath(new URL(program, import.meta.url)), JSON.stringify(plan)]);
  return JSON.parse(out);
}

/** In MiB. */
interface Memory {
  /** The memory that the server holds after a collection: objects, and buffers outside the heap. */
  readonly used: number;
  /** The same, including the memory that V8 and the allocator keep for later. */
  readonly resident: number;
}

async function memoryAt(port: number): Promise<Memory> {
  const response = await fetch(`http://127.0.0.1:${port}`);
  const { heapUsed, external, rss } = (await response.json()) as NodeJS.MemoryUsage;
  const mib = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return { used: mib(heapUsed + external), resident: mib(rss) };
}

async function createBlogs(): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const path = `${cache}soak.db`;
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  const store = await openStore(`sqlite:${path}`);
  await store.importBlogs(BLOGS.map(blogOf), Date.now());
  await store.close();
  return `sqlite:${path}`;
}

const keyOf = (blog: string): string => `bench-key-of-blog-${blog}`;

const blogOf = (blog: string, place: number) => ({
  id: blog,
  name: blog,
  apiKeys: [keyOf(blog)],
  posts: Array.from({ length: 1000 }, (_, index) => ({
    id: `p${index}`,
    slug: `p${index}`,
    title: `The post ${index}`,
    subtitle: 'A word about the day',
    publishedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    content: `Words of post ${index}. `.repeat(200),
  })),
  ads: [{ id: `00000000-0000-4000-8000-00000000000${place}`, format: 'BANNER' as const, title: `An ad of ${blog}` }],
});
