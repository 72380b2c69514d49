import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createMock } from '../../packages/mock-server/src/index.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { median } from '../median.ts';

const CALLS = 20;

/** CPU time of a request through MSW to our handlers, alternating with a handler that returns a ready-made response. */
export async function handlers({ quick, say }: BenchOptions): Promise<Finding[]> {
  say('mock.handlers');
  const mock = createMock({ baseUrl: 'https://blog.example' });
  const { baseUrl, apiKey } = mock.connection;
  const url = `${baseUrl}/public/posts`;
  const headers = { 'x-api-key': apiKey };
  const response = await mock.fetch(url, { headers });
  const ready = [await response.text(), { headers: Object.fromEntries(response.headers) }] as const;
  const plain = [http.get(url, () => new HttpResponse(...ready))];
  // pnpm keeps a copy of MSW for each set of its peers, and their protected members do not match.
  const ours = mock.handlers() as unknown as Parameters<typeof setupServer>;
  const network = setupServer();
  network.listen();
  const through = async (wanted: Parameters<typeof setupServer>): Promise<number> => {
    network.resetHandlers(...wanted);
    const before = process.cpuUsage();
    for (let index = 0; index < CALLS; index += 1) {
      const response = await fetch(url, { headers });
      if (response.status !== 200) throw new Error(`returned ${response.status}`);
      await response.json();
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / CALLS;
  };
  const a: number[] = [];
  const b: number[] = [];
  try {
    for (let round = -10; round < (quick ? 100 : 200); round += 1) {
      const [one, two] = [await through(ours), await through(plain)];
      if (round < 0) continue;
      a.push(one);
      b.push(two);
    }
  } finally {
    network.close();
  }
  return [
    {
      id: 'mock.handlers',
      ours: median(a),
      reference: median(b),
      ratio: median(a.map((value, index) => value / (b[index] ?? Number.NaN))),
      note: 'CPU; reference: MSW 3 with one handler that returns the same ready-made response',
    },
  ];
}
