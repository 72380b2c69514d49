import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';
import { batch } from './batch.ts';
import { databaseOf, KEY } from './database.ts';
import { load, READERS } from './load-plan.ts';
import { serve } from './serve.ts';

const PATH = '/public/ads/formats';

/** Durable batches that each have a new idempotency key, alternating with batches without one. */
export async function idempotency({ quick, say }: BenchOptions): Promise<Finding[]> {
  const database = await databaseOf({ posts: 10_000, content: 2_200 }, say);
  const server = await serve(database);
  try {
    say('server.idempotency');
    // The stored database may contain keys of an earlier run.
    const path = `${PATH}?idempotencyKey=bench-${Date.now()}-{n}`;
    const { headers } = await fetch(server.url + path.replace('{n}', 'first'), {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: batch,
    });
    if (headers.get('idempotency-accepted') !== 'true') {
      return [{ id: 'server.idempotency', notMeasured: 'the server does not accept idempotency keys' }];
    }
    const plan = {
      url: server.url,
      key: KEY,
      method: 'POST',
      body: batch,
      readers: READERS,
      connections: 64,
      ms: quick ? 1_500 : 4_000,
    } as const;
    const [keyed, plain]: [number[], number[]] = [[], []];
    let from = 0;
    for (let round = -1; round < (quick ? 3 : 7); round += 1) {
      const withKey = await load({ ...plan, path, from, modulo: 1e9 });
      const without = await load({ ...plan, path: PATH, from: 0, modulo: 1 });
      from += withKey.responses;
      if (round < 0) continue;
      keyed.push(withKey.perSecond);
      plain.push(without.perSecond);
    }
    const ratio = median(keyed.map((value, index) => value / (plain[index] ?? Number.NaN)));
    const note = 'durable batches of 4 on SQLite, 64 connections, a new key in every request';
    return [{ id: 'server.idempotency', ours: median(keyed), reference: median(plain), ratio, note }];
  } finally {
    await server.stop();
  }
}
