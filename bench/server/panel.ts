import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../packages/store/src/node.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';
import { serve } from './serve.ts';

const KEY = 'bench-key-0123456789';
const LINK = 'bench-sign-in-link';
const [DAYS, ADS, PLACEMENTS] = [730, 50, 20];
const DAY = 86_400_000;
/** Milliseconds between two requests to the API: far below its capacity, so that only delays are measured. */
const PACE = 4;

/** Requests to the API while somebody reads pages of the panel, alternating with the API only, on SQLite. */
export async function panel({ quick, say }: BenchOptions): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-bench-'));
  const database = `sqlite:${join(folder, 'panel.db')}`;
  say(`SQLite: ${(DAYS * ADS * PLACEMENTS).toLocaleString('en')} rows of figures are being written`);
  await fill(database);
  const server = await serve(database);
  try {
    const cookie = await signIn(server.url);
    const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);
    const pages = [`?from=${day(364)}&to=${day(0)}`, '?period=90', '/posts?q=tea', '/log'];
    const read = async (page: string) => {
      const path = page === '/log' ? '/panel/log' : `/panel/bench${page}`;
      const response = await fetch(server.url + path, { headers: { cookie } });
      if (!response.ok) throw new Error(`${path} returned ${response.status}`);
      await response.text();
    };
    for (const page of pages) await read(page);
    const ms = quick ? 1_500 : 5_000;
    const [alone, beside]: [Round[], Round[]] = [[], []];
    for (let round = 0; round < (quick ? 3 : 9); round += 1) {
      say(`server.panel: round ${round + 1}`);
      alone.push(await askFor(server, ms));
      let reading = true;
      const reader = (async () => {
        for (let next = 0; reading; next += 1) await read(pages[next % pages.length] ?? '');
      })();
      beside.push(await askFor(server, ms));
      reading = false;
      await reader;
    }
    const of = (rounds: readonly Round[], what: keyof Round) => median(rounds.map((round) => round[what]));
    return [
      {
        id: 'server.panel',
        ours: of(beside, 'cpu'),
        reference: of(alone, 'cpu'),
        ratio: median(beside.map(({ cpu }, index) => cpu / (alone[index]?.cpu ?? Number.NaN))),
        note: `250 requests a second for a list of posts; p99 ${of(beside, 'p99').toFixed(1)} ms, ${of(alone, 'p99').toFixed(1)} ms without the panel; the database has ${(DAYS * ADS * PLACEMENTS).toLocaleString('en')} rows of figures`,
      },
    ];
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The requests of one round: `cpu` is microseconds of the first thread for each, `p99` is in milliseconds. */
interface Round {
  readonly cpu: number;
  readonly p99: number;
}

async function askFor(server: { readonly url: string; firstThreadCpu(): number }, ms: number): Promise<Round> {
  const before = server.firstThreadCpu();
  const took: number[] = [];
  const pending: Promise<void>[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const sent = performance.now();
    const response = fetch(`${server.url}/public/posts?limit=10`, { headers: { 'X-API-Key': KEY } });
    pending.push(
      response.then(async (received) => {
        await received.arrayBuffer();
        took.push(performance.now() - sent);
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, PACE));
  }
  await Promise.all(pending);
  took.sort((a, b) => a - b);
  const cpu = ((server.firstThreadCpu() - before) * 1000) / took.length;
  return { cpu, p99: took[Math.floor(took.length * 0.99)] ?? Number.NaN };
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/panel/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ invitation: LINK }),
  });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function fill(database: string): Promise<void> {
  const store = await openStore(database);
  const now = Date.now();
  const ads = Array.from({ length: ADS }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    format: 'BANNER' as const,
    title: `Ad ${index}`,
  }));
  const posts = Array.from({ length: 5_000 }, (_, index) => ({
    id: `p${index}`,
    title: `${index % 7 === 0 ? 'Tea' : 'Coffee'} of day ${index}`,
    slug: `p${index}`,
    content: 'word '.repeat(400),
    publishedAt: new Date(now - index * DAY).toISOString(),
  }));
  await store.importBlogs([{ id: 'bench', name: 'Bench', apiKeys: [KEY], ads, posts }], now);
  const places = Array.from({ length: PLACEMENTS }, (_, index) => `place-${index}`);
  const slots = ads.flatMap(({ id }) => places.map((placement) => ({ candidates: [id], placement })));
  for (let ago = 0; ago < DAYS; ago += 1) await store.deliver('bench', { slots }, now - ago * DAY);
  await store.invitePerson({ name: 'Bench', role: 'view', blogId: null }, LINK, now);
  await store.close();
}
