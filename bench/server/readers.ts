// Simulates readers of a blog: each reads a list and a post, gets an ad and clicks on it, with pauses. Prints a
// `SoakResult`.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from '../median.ts';
import type { SoakPlan, SoakResult } from './soak-plan.ts';

const { url, key, clients, ms }: SoakPlan = JSON.parse(process.argv[2] ?? '');
/** Milliseconds between two requests of a reader. */
const PAUSE = 1000;
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const until = performance.now() + ms;
const times: number[] = [];
let failures = 0;

/** Sends a request and measures the time until the response is complete. */
async function send(reader: number, path: string, body?: string): Promise<string> {
  const began = performance.now();
  try {
    const response = await new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
      const headers = {
        'x-api-key': key,
        'x-forwarded-for': `192.0.2.${1 + (reader % 254)}`,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const sent = request(url + path, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (incoming) =>
        text(incoming).then((received) => resolve({ status: incoming.statusCode ?? 0, body: received }), reject),
      );
      sent.on('error', reject).end(body);
    });
    if (response.status !== 200) failures += 1;
    return response.body;
  } catch {
    failures += 1;
    return '';
  } finally {
    times.push(performance.now() - began);
  }
}

async function read(reader: number): Promise<void> {
  await wait((PAUSE * reader) / clients);
  for (let turn = reader; performance.now() < until; turn += 1) {
    await send(reader, `/public/posts?limit=10&offset=${turn % 50}`);
    await wait(PAUSE);
    await send(reader, `/public/posts/p${turn % 100}`);
    await wait(PAUSE);
    const ad = await send(reader, '/public/ads/formats/BANNER');
    await wait(PAUSE);
    const clickToken = ad === '' ? undefined : JSON.parse(ad).clickToken;
    if (clickToken) await send(reader, '/public/ads/tracking/click', JSON.stringify({ clickToken }));
    await wait(PAUSE);
  }
}

await Promise.all(Array.from({ length: clients }, (_, reader) => read(reader)));
agent.destroy();
console.log(JSON.stringify({ requests: times.length, failures, median: median(times) } satisfies SoakResult));
