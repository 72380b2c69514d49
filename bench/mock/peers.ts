import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openapi } from '../../packages/contract/src/schemas/index.ts';
import { createMock } from '../../packages/mock-server/src/index.ts';
import { root, type Started, startServer } from '../child.ts';

const modules = `${root}bench/node_modules/`;
const freePort = (): string => String(20_000 + Math.floor(Math.random() * 20_000));

/** The mocks that are compared with ours. */
export type PeerName = 'json-server' | 'prism';

/** Starts another mock with the posts of our sample blog or with our OpenAPI document. */
export async function startPeer(name: PeerName): Promise<Started> {
  const bin = `${modules}${name === 'prism' ? '@stoplight/prism-cli/dist/index.js' : 'json-server/lib/bin.js'}`;
  if (!existsSync(bin)) throw new Error(`${name} is not installed`);
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-bench-'));
  const file = join(folder, 'data.json');
  await writeFile(file, JSON.stringify(name === 'prism' ? openapi({ baseUrl: '/' }) : { posts: await samplePosts() }));
  const args = name === 'prism' ? ['mock', '--port', freePort(), file] : ['--port', freePort(), file];
  const started = await startServer([bin, ...args]);
  const stop = async () => {
    await started.stop();
    await rm(folder, { recursive: true });
  };
  return { ...started, stop };
}

async function samplePosts(): Promise<unknown> {
  const mock = createMock();
  const headers = { 'x-api-key': mock.main.apiKey };
  const response = await mock.fetch(`${mock.baseUrl}/public/posts?limit=100`, { headers });
  return ((await response.json()) as { data: unknown }).data;
}
