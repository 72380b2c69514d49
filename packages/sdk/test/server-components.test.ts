import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { samplePosts } from './support/samples.ts';

// React's serializer, in a process with the condition `react-server`, which it needs, decides what a server component
// may pass to a client component. It refuses objects with methods, and warns about everything that would be lost.
const program = `
import { renderToReadableStream } from 'react-server-dom-turbopack/server';
import { createFromReadableStream } from 'react-server-dom-turbopack/client.edge';
import { createClient } from '@broadsheet/sdk';

const blog = createClient({
  baseUrl: 'https://blog.example',
  apiKey: 'key',
  fetch: async () => Response.json({ success: true, data: ${JSON.stringify(samplePosts(0, 2))} }),
});
const page = await blog.posts.list({ limit: 2 });
const models = { spread: { ...page }, cloned: structuredClone(page), items: page.items, one: page.items[0], page };
const report = {};
for (const [name, model] of Object.entries(models)) {
  const said = [];
  console.error = (...words) => said.push(words.join(' '));
  const onError = (error) => { said.push(error.message); };
  const stream = renderToReadableStream(model, {}, { onError });
  const manifest = { moduleMap: null, serverModuleMap: null, moduleLoading: null };
  const coming = createFromReadableStream(stream, { serverConsumerManifest: manifest });
  const arrived = await new Promise((resolve) => coming.then(resolve, () => resolve('nothing')));
  report[name] = { arrived, said };
}
console.log(JSON.stringify(report));
`;

test('a page is passed from server components to client components as plain data', async () => {
  const conditions = ['react-server', '@broadsheet/source'].map((name) => `--conditions=${name}`);
  const args = [...conditions, '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: `${import.meta.dirname}/..` });
  const { spread, cloned, items, one, page } = JSON.parse(stdout);
  const posts = samplePosts(0, 2);
  const plain = { items: posts, hasNext: true, cursor: '2 2 posts.list', duplicates: 0, meta: { status: 200 } };
  expect(spread).toMatchObject({ said: [], arrived: plain });
  expect(cloned).toEqual(spread);
  expect(items).toEqual({ said: [], arrived: posts });
  expect(one).toEqual({ said: [], arrived: posts[0] });
  // React refuses a page because it has a method, so the guide for Next.js spreads it.
  expect(page.arrived).toBe('nothing');
  expect(page.said.join()).toMatch(/Only plain objects/);
});
