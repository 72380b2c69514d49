import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';
import { type Call, peers } from './cpu-peers.ts';

const BASE = 'https://blog.example';
const CALLS = 60;

/**
 * CPU time of one call that lists ten posts, alternating between our client and others, all with the same response:
 * relative to `fetch().json()`, and through the ky adapter relative to plain ky.
 */
export async function cpu({ quick, say }: BenchOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [size, characters] of [
    ['large', 1_640],
    ['small', 0],
  ] as const) {
    say(`sdk.cpu-${size}`);
    findings.push(...(await compare(size, sampleResponse(characters), quick ? 100 : 300)));
  }
  return findings;
}

async function compare(size: string, body: string, rounds: number): Promise<Finding[]> {
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
  const of = (name: string, other: string): number => {
    const others = times.get(other) ?? [];
    return median((times.get(name) ?? []).map((value, index) => value / (others[index] ?? Number.NaN)));
  };
  const [bytes, over] = [`${Buffer.byteLength(body).toLocaleString('en')} bytes, validation on`, 'over raw fetch'];
  const all = [...times.keys()]
    .filter((name) => name !== 'raw')
    .map((name) => `${name} ${of(name, 'raw').toFixed(2)}x`);
  const note = [`${bytes}; ${over}: ${all.join(', ')}`, ...absent.map((name) => `${name} not installed`)].join(', ');
  return [
    {
      id: `sdk.cpu-${size}`,
      ours: median(times.get('broadsheet') ?? []),
      reference: median(times.get('raw') ?? []),
      ratio: of('broadsheet', 'raw'),
      note,
    },
    absent.includes('ky')
      ? { id: `sdk.cpu-ky-${size}`, notMeasured: 'ky is not installed' }
      : {
          id: `sdk.cpu-ky-${size}`,
          ours: of('broadsheet/ky', 'raw'),
          reference: of('ky', 'raw'),
          note: `${bytes}, ${over}`,
        },
  ];
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
  try {
    const [{ default: ky }, { kyFetch }] = await Promise.all([
      import('ky'),
      import('../../packages/sdk/src/ky/index.ts'),
    ]);
    const throughKy = createClient({ baseUrl: BASE, apiKey: 'key', fetch: kyFetch(ky.create({ fetch: stub })) });
    calls['broadsheet/ky'] = async () => throughKy.posts.list();
  } catch {
    // Reported below, because ky is then missing among the peers, too.
  }
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

/** A response of the API with ten posts of `characters` characters each. */
function sampleResponse(characters: number): string {
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
