import { setupServer } from 'msw/node';
import { createMock } from '../../packages/mock-server/src/index.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';

const CALLS = 30;

/** Time per request through `mock.fetch`, alternating with the same request through MSW and the global `fetch`. */
export async function mockFetch({ quick, say }: BenchOptions): Promise<Finding[]> {
  say('mock.fetch');
  const mock = createMock({ baseUrl: 'https://blog.example' });
  const { baseUrl, apiKey } = mock.connection;
  // pnpm keeps a copy of MSW for each set of its peers, and their protected members do not match.
  const network = setupServer(...(mock.handlers() as unknown as Parameters<typeof setupServer>));
  network.listen();
  const through = async (fetcher: typeof fetch): Promise<number> => {
    const started = performance.now();
    for (let index = 0; index < CALLS; index += 1) {
      const response = await fetcher(`${baseUrl}/public/posts`, { headers: { 'x-api-key': apiKey } });
      if (response.status !== 200) throw new Error(`returned ${response.status}`);
      await response.json();
    }
    return ((performance.now() - started) * 1000) / CALLS;
  };
  const ours: number[] = [];
  const msw: number[] = [];
  try {
    for (let round = -5; round < (quick ? 20 : 120); round += 1) {
      const a = await through(mock.fetch);
      const b = await through(fetch);
      if (round < 0) continue;
      ours.push(a);
      msw.push(b);
    }
  } finally {
    network.close();
  }
  const ratio = median(ours.map((value, index) => value / (msw[index] ?? Number.NaN)));
  return [
    {
      id: 'mock.fetch',
      ours: median(ours),
      reference: median(msw),
      ratio,
      note: 'reference: the same handlers through MSW 3',
    },
  ];
}
