import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { client } from './support/client.ts';
import { samplePosts, sampleToken } from './support/samples.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** The bytes of objects and strings; long strings are outside the heap. */
const memoryUsed = (): number => {
  for (let nth = 0; nth < 3; nth++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const MB = 1024 * 1024;
/** A response of 1 MB, nearly all of it white space. */
const padded = (data: unknown) => async () => new Response(JSON.stringify(data) + ' '.repeat(MB));

test('pages, calls and clicks that a program keeps do not keep the texts of their responses', async () => {
  const blog = client('https://blog.example', { fetch: padded({ success: true, data: samplePosts(0, 10) }) });
  const { ads } = client('https://blog.example', { fetch: padded({ status: 'ok' }) });
  await blog.posts.list();
  const before = memoryUsed();
  const kept: unknown[] = [];
  for (let nth = 0; nth < 20; nth++) {
    const list = blog.posts.list();
    kept.push(list, await list);
    await ads.click(sampleToken(nth, nth));
  }
  expect((memoryUsed() - before) / MB).toBeLessThan(5);
  expect(kept).toHaveLength(40);
});
