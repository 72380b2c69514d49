import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// Worlds of one blog share it, so ten thousand of them fit into one process.

const program = `
  import { createMock } from '${new URL('../src/node.ts', import.meta.url).pathname}';
  const mock = createMock();
  const heap = () => {
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const worlds = Array.from({ length: 10_000 }, () => mock.world());
  const created = heap() - before;
  for (const world of worlds) {
    const headers = { 'X-API-Key': world.apiKey };
    const response = await world.fetch(world.connection.baseUrl + '/public/posts', { headers });
    if ((await response.json()).data.length !== 10) throw new Error('status ' + response.status);
  }
  console.log(JSON.stringify({ created, used: heap() - before, worlds: worlds.length }));`;

test('ten thousand worlds take at most 150 MB before their first request, and 300 MB after it', async () => {
  const args = ['--expose-gc', '--conditions=@broadsheet/source', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { created, used } = JSON.parse(stdout) as { created: number; used: number };
  expect(created / 1e6).toBeLessThanOrEqual(150);
  // A world that is used keeps the call and its response, about 15 KB for this list, in its journal.
  expect(used / 1e6).toBeLessThanOrEqual(300);
});
