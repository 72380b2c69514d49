import type { BenchOptions, Finding } from '../budget.ts';
import { startServer } from '../child.ts';
import { wordOfRank } from '../generate-blog.ts';
import { median } from '../median.ts';
import { databaseOf, KEY } from './database.ts';

const FEW = 10_000;

/** Search and deep offset with many posts, in turns with the same over few: milliseconds of one request at a time. */
export async function scale({ quick, say }: BenchOptions): Promise<Finding[]> {
  const many = quick ? 100_000 : 1_000_000;
  const servers = [];
  try {
    for (const posts of [FEW, many]) {
      const database = await databaseOf({ posts, content: 200 }, say);
      const server = await startServer(
        ['packages/server/src/main.ts', 'serve', '--port', '0', '--database', database],
        {
          LOG_LEVEL: 'silent',
        },
      );
      servers.push({ ...server, posts });
    }
    say('search and deep offset');
    // Every request asks something new: ready answers would hide the work.
    const search = await inTurns(servers, (_, round) => {
      const common = `${wordOfRank(round % 40)} ${wordOfRank((round * 7) % 60)}`;
      return `/public/search?limit=10&q=${round % 2 === 0 ? common : wordOfRank(500 + round * 37)}`.replace(' ', '%20');
    });
    const offset = await inTurns(servers, (posts, round) => `/public/posts?limit=10&offset=${posts - 20 - round * 10}`);
    const note = `${many.toLocaleString('en')} posts against ${FEW.toLocaleString('en')}${quick ? ' (--quick; 1,000,000 without)' : ''}`;
    return [
      { id: 'server.search', ...search, note: `${note}; a rare word and two common ones in turn` },
      { id: 'server.deep-offset', ...offset, note },
    ];
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function inTurns(
  servers: readonly { readonly url: string; readonly posts: number }[],
  path: (posts: number, round: number) => string,
): Promise<{ ours: number; reference: number }> {
  const times = servers.map((): number[] => []);
  for (let round = 0; round < 120; round += 1) {
    for (const [index, { url, posts }] of servers.entries()) {
      const started = performance.now();
      const answer = await fetch(url + path(posts, round), { headers: { 'x-api-key': KEY } });
      const body = await answer.text();
      if (answer.status !== 200)
        throw new Error(`${path(posts, round)} answered ${answer.status}: ${body.slice(0, 200)}`);
      if (round >= 20) times[index]?.push(performance.now() - started);
    }
  }
  const [few = [], many = []] = times;
  return { ours: median(many), reference: median(few) };
}
