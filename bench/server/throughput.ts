import { fileURLToPath } from 'node:url';
import type { BenchOptions, Finding } from '../budget.ts';
import { type Started, startServer } from '../child.ts';
import { median } from '../median.ts';
import { batch } from './batch.ts';
import { databaseOf, KEY } from './database.ts';
import { flushTime } from './flush.ts';
import { type LoadPlan, type LoadResult, load, READERS } from './load-plan.ts';
import { serve } from './serve.ts';

const POSTS = 10_000;

interface Case {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly readers?: number;
  /** Milliseconds of warm-up, because one round is too short. */
  readonly warmUp?: number;
}

const cases: readonly Case[] = [
  { id: 'server.hot-list', method: 'GET', path: '/public/posts?limit=10' },
  { id: 'server.hot-slug', method: 'GET', path: '/public/posts/slug/post-4711' },
  // Consecutive pages, more than the response cache holds: no page is requested again while it is cached.
  { id: 'server.cold-list', method: 'GET', path: '/public/posts?limit=10&offset={n}' },
  // V8 continues to optimize this request for some seconds.
  { id: 'server.batch', method: 'POST', path: '/public/ads/formats', body: batch, readers: READERS, warmUp: 4_000 },
];

/** Requests per second of `broadsheet serve` on SQLite, alternating with node:http that sends the same bytes. */
export async function throughput({ quick, say }: BenchOptions): Promise<Finding[]> {
  const database = await databaseOf({ posts: POSTS, content: 2_200 }, say);
  const ours = await serve(database);
  const findings: Finding[] = [];
  try {
    for (const entry of cases) {
      say(entry.id);
      findings.push(await compare(entry, ours, quick));
    }
  } finally {
    await ours.stop();
  }
  return findings;
}

async function compare(entry: Case, ours: Started, quick: boolean): Promise<Finding> {
  const first = await fetch(ours.url + entry.path.replace('{n}', '0'), {
    method: entry.method,
    headers: { 'x-api-key': KEY, ...(entry.body !== undefined && { 'content-type': 'application/json' }) },
    ...(entry.body !== undefined && { body: entry.body }),
  });
  const body = await first.text();
  if (first.status !== 200) return { id: entry.id, notMeasured: `returned ${first.status}: ${body.slice(0, 200)}` };
  const own = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'];
  const headers = Object.fromEntries([...first.headers].filter(([name]) => !own.includes(name)));
  const raw = await startServer([fileURLToPath(new URL('raw.ts', import.meta.url)), JSON.stringify({ headers, body })]);
  const oursPerSecond: number[] = [];
  const rawPerSecond: number[] = [];
  const oursCpu: number[] = [];
  const rawCpu: number[] = [];
  let from = 0;
  const plan = { ...entry, key: KEY, modulo: POSTS - 10, connections: 64 };
  try {
    const ms = quick ? 1_000 : 3_000;
    for (let round = -1; round < (quick ? 3 : 7); round += 1) {
      const warmingUp = round < 0;
      const a = await loadWithCpu({ ...plan, url: ours.url, from, ms: warmingUp ? (entry.warmUp ?? ms) : ms }, ours);
      const b = await loadWithCpu({ ...plan, url: raw.url, from, ms }, raw);
      from += a.responses;
      if (warmingUp) continue;
      oursPerSecond.push(a.perSecond);
      rawPerSecond.push(b.perSecond);
      oursCpu.push(a.cpu);
      rawCpu.push(b.cpu);
    }
  } finally {
    await raw.stop();
  }
  // Durable writes wait for the disk, which is slow while others use it.
  const flush = entry.body === undefined ? '' : `a flush of this disk takes ${flushTime().toFixed(1)} ms; `;
  return {
    id: entry.id,
    ours: median(oursPerSecond),
    reference: median(rawPerSecond),
    ratio: median(oursPerSecond.map((value, index) => value / (rawPerSecond[index] ?? Number.NaN))),
    note: `${flush}${Buffer.byteLength(body).toLocaleString('en')} bytes, 64 connections; CPU of the server ${Math.round(median(oursCpu))} µs per request compared with ${Math.round(median(rawCpu))}`,
  };
}

/** Loads a server and adds the CPU time of its process per request in microseconds. */
async function loadWithCpu(plan: LoadPlan, server: Started): Promise<LoadResult & { readonly cpu: number }> {
  const before = server.cpu();
  const result = await load(plan);
  return { ...result, cpu: ((server.cpu() - before) * 1000) / result.responses };
}
