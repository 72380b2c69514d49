import { createMock } from '../../packages/mock-server/src/index.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';

const CALLS = 100;

/**
 * CPU time of a delivery with a key in a mock that has seen 100,000 keys, alternating with a mock that has seen a
 * hundred.
 */
export async function growth({ quick, say }: BenchOptions): Promise<Finding[]> {
  say('mock.growth');
  const old = createMock();
  await deliver(old, 100_000);
  const ours: number[] = [];
  const reference: number[] = [];
  for (let round = -3; round < (quick ? 15 : 60); round += 1) {
    const young = createMock();
    await deliver(young, 100);
    const [a, b] = [await costOf(old), await costOf(young)];
    if (round < 0) continue;
    ours.push(a);
    reference.push(b);
  }
  return [
    {
      id: 'mock.growth',
      ours: median(ours),
      reference: median(reference),
      ratio: median(ours.map((value, index) => value / (reference[index] ?? Number.NaN))),
      note: 'CPU of a batch of two slots; reference: the same mock after 100 deliveries',
    },
  ];
}

type Mock = ReturnType<typeof createMock>;

async function costOf(mock: Mock): Promise<number> {
  const { user, system } = process.cpuUsage();
  await deliver(mock, CALLS);
  const spent = process.cpuUsage({ user, system });
  return (spent.user + spent.system) / CALLS;
}

async function deliver(mock: Mock, count: number): Promise<void> {
  const { baseUrl, apiKey } = mock.connection;
  const body = JSON.stringify({ slots: ['a', 'b'].map((slotId) => ({ slotId, format: 'BANNER' })) });
  for (let index = 0; index < count; index += 1) {
    const headers = {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'idempotency-key': crypto.randomUUID(),
    };
    const response = await mock.fetch(`${baseUrl}/public/ads/formats`, { method: 'POST', headers, body });
    if (response.status !== 200) throw new Error(`returned ${response.status}`);
    // The world's time passes, as in a mock that runs for days.
    if (index % 100 === 0) mock.main.clock.advance('2m');
  }
}
