import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';
import { type Call, peers } from './cpu-peers.ts';

const BASE = 'https://blog.example';
const CALLS = 60;

/** CPU time of one call that lists ten posts, in turns with raw `fetch().json()` over the same answer. */
export async function cpu({ quick, say }: BenchOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [id, characters] of [
    ['sdk.cpu-large', 1_640],
    ['sdk.cpu-small', 0],
  ] as const) {
    say(id);
    const body = answer(characters);
    findings.push(await compare(id, body, quick ? 100 : 300));
  }
  return findings;
}

async function compare(id: string, body: string, rounds: number): Promise<Finding> {
  const { calls, absent } = await callsOver(body);
  const times = new Map<string, number[]>(Object.keys(calls).map((name) => [name, []]));
  for (let round = -10; round < rounds; round += 1) {
    for (const [name, call] of Object.entries(calls)) {
      const before = process.cpuUsage();
      for (let index = 0; index < CALLS; index += 1) await call();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times.get(name)?.push((user + system) / CALLS);
    }
  }
  const raw = times.get('raw') ?? [];
  const ours = times.get('broadsheet') ?? [];
  const ratio = (values: readonly number[]): number =>
    median(values.map((value, index) => value / (raw[index] ?? Number.NaN)));
  const others = [...times].filter(([name]) => name !== 'raw' && name !== 'broadsheet');
  return {
    id,
    ours: median(ours),
    reference: median(raw),
    ratio: ratio(ours),
    note: [
      `${Buffer.byteLength(body).toLocaleString('en')} bytes, validation on`,
      ...others.map(([name, values]) => `${name} ${ratio(values).toFixed(2)}x`),
      ...absent.map((name) => `${name} not installed`),
    ].join(', '),
  };
}

async function callsOver(body: string): Promise<{ calls: Record<string, Call>; absent: string[] }> {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' };
  const stub = async (): Promise<Response> => new Response(body, { headers });
  const { createClient } = await import('../../packages/sdk/src/index.ts');
  const blog = createClient({ baseUrl: BASE, apiKey: 'key', fetch: stub });
  const first = await blog.posts.list();
  if (first.items.length !== 10) throw new Error(`the client read ${first.items.length} posts instead of 10`);
  const calls: Record<string, Call> = {
    raw: async () => (await stub()).json(),
    broadsheet: async () => blog.posts.list(),
  };
  const absent: string[] = [];
  for (const [name, make] of Object.entries(peers)) {
    try {
      const call = await make(stub);
      await call();
      calls[name] = call;
    } catch {
      absent.push(name);
    }
  }
  return { calls, absent };
}

/** An answer of api.md with ten posts; `characters` of content in each. */
function answer(characters: number): string {
  const at = '2026-01-31T09:00:00.000Z';
  const data = Array.from({ length: 10 }, (_, index) => ({
    id: `post-${index}`,
    title: characters === 0 ? 'T' : `A post about item ${index}`,
    subtitle: '',
    content: 'x'.repeat(characters),
    slug: `post-${index}`,
    status: 'PUBLISHED',
    publishedAt: at,
    scheduledAt: null,
    blogId: 'b',
    authorId: 'a',
    createdAt: at,
    updatedAt: at,
    categories: characters === 0 ? [] : [{ id: 'c', name: 'Category', description: '', blogId: 'b' }],
    tags:
      characters === 0
        ? []
        : [
            { id: 't', name: 'Tag', blogId: 'b' },
            { id: 'u', name: 'Another', blogId: 'b' },
          ],
  }));
  return JSON.stringify({ success: true, data });
}
