import { type ConformanceResult, runConformance } from '@broadsheet/conformance';
import { createMock } from '../node.ts';

/** What to compare with the mock. */
export interface ParityOptions {
  /** What stands before `/public/...`. */
  readonly url: string;
  readonly apiKey: string;
  /** Also the cases that record impressions and clicks. */
  readonly clicks: boolean;
  readonly write: (line: string) => void;
}

const mark = (result: ConformanceResult | undefined): string => (result ? (result.ok ? 'ok' : 'FAILS') : 'not run');

/**
 * Holds a live API and the mock against the same promises and prints them side by side.
 *
 * @returns the number of promises that the live API breaks or that the two disagree about
 * @throws Error when nothing answers there, or the key is not known: then there is nothing to compare
 */
export async function parity({ url, apiKey, clicks, write }: ParityOptions): Promise<number> {
  await mustAnswer(url, apiKey);
  const effects = clicks ? 'all' : 'read';
  const mock = createMock();
  const ours = await runConformance({ ...mock.connection, fetch: (request) => mock.fetch(request) }, { effects });
  const byName = new Map(ours.map((result) => [`${result.section} ${result.name}`, result]));
  write(row('section', 'mock', 'live', 'promise'));
  let differences = 0;
  const results = await runConformance(
    { baseUrl: url.replace(/\/$/, ''), apiKey, fetch: (request) => fetch(request) },
    {
      effects,
      onResult(live) {
        const mocked = byName.get(`${live.section} ${live.name}`);
        if (!live.ok || !mocked?.ok) differences += 1;
        write(row(live.section, mark(mocked), mark(live), live.name));
        if (live.error) write(`${' '.repeat(25)}${live.error}`);
      },
    },
  );
  write(`${results.length} promises, ${differences} ${differences === 1 ? 'difference' : 'differences'}`);
  return differences;
}

const row = (section: string, mock: string, live: string, promise: string): string =>
  `${section.padEnd(9)}${mock.padEnd(8)}${live.padEnd(8)}${promise}`;

async function mustAnswer(url: string, apiKey: string): Promise<void> {
  if (!URL.canParse(url))
    throw new Error(`${JSON.stringify(url)} is no URL; write a whole one such as https://api.example`);
  const answer = await fetch(`${url.replace(/\/$/, '')}/public/tags`, { headers: { 'X-API-Key': apiKey } }).catch(
    ({ cause, message }: Error) => {
      throw new Error(`nothing answers at ${url} (${cause instanceof Error ? cause.message || cause.name : message})`);
    },
  );
  if (answer.status === 401) throw new Error(`${url} does not know the key; give that of a blog with --api-key`);
}
