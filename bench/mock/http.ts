import { waitUntil } from '../../tools/testing/wait-until.ts';
import type { BenchOptions, Finding } from '../budget.ts';
import { type Started, startServer } from '../child.ts';
import { median } from '../median.ts';
import { load } from '../server/load-plan.ts';
import { startPeer } from './peers.ts';

const KEY = 'bench';
const PATHS = {
  ours: '/public/posts?limit=10',
  jsonServer: '/posts?_page=1&_per_page=10',
  prism: '/public/posts?limit=10',
};

/** Lists of posts per second over HTTP, alternating with json-server on the same posts, with Prism for comparison. */
export async function http({ quick, say }: BenchOptions): Promise<Finding[]> {
  say('mock.http');
  const ms = quick ? 400 : 2_000;
  const ours = await startServer(['packages/mock-server/src/main.ts', '--port', '0', '--api-key', KEY]);
  const jsonServer = await startPeer('json-server');
  const mine: number[] = [];
  const theirs: number[] = [];
  try {
    for (let round = -1; round < (quick ? 3 : 8); round += 1) {
      const a = await perSecond(ours, PATHS.ours, ms);
      const b = await perSecond(jsonServer, PATHS.jsonServer, ms);
      if (round < 0) continue;
      mine.push(a);
      theirs.push(b);
    }
  } finally {
    await ours.stop();
    await jsonServer.stop();
  }
  const ratio = median(mine.map((value, index) => value / (theirs[index] ?? Number.NaN)));
  const note = `posts list, 10 connections; reference: json-server 1.0 on the same posts; ${await prism(ms)}`;
  return [{ id: 'mock.http', ours: median(mine), reference: median(theirs), ratio, note }];
}

async function prism(ms: number): Promise<string> {
  try {
    const server = await startPeer('prism');
    try {
      await perSecond(server, PATHS.prism, ms);
      return `Prism ${Math.round(await perSecond(server, PATHS.prism, ms))} (a made-up example)`;
    } finally {
      await server.stop();
    }
  } catch (error) {
    return `Prism did not run: ${error instanceof Error ? error.message.slice(0, 120) : String(error)}`;
  }
}

async function perSecond(server: Started, path: string, ms: number): Promise<number> {
  await waitForResponse(server.url + path);
  const plan = { url: server.url, key: KEY, method: 'GET', path, from: 0, modulo: 1, connections: 10, ms } as const;
  return (await load(plan)).perSecond;
}

/** A program may print its URL before it listens. */
const waitForResponse = (url: string): Promise<void> =>
  waitUntil(`something responds at ${url}`, async () => {
    const response = await fetch(url, { headers: { 'x-api-key': KEY } }).catch(() => undefined);
    return response?.status === 200;
  });
