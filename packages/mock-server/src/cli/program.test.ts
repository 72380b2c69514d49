import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { remoteWorld } from '../control/remote-world.ts';
import { program } from './program.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

test('the command serves a seeded blog and prints its URL and key', async () => {
  const args = ['--conditions=@broadsheet/source', main, '--port', '0', '--api-key', 'my-key'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [, url = ''] = /^(http:\S+) {2}X-API-Key: my-key/.exec(String(line)) ?? [];
    const response = await fetch(`${url}/public/posts`, { headers: { 'X-API-Key': 'my-key' } });
    expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(10);
    // The clock runs in real time, even in worlds created later: a delay ends without `advance`.
    const world = await remoteWorld(url);
    expect(Math.abs((await world.clock.now()) - Date.now())).toBeLessThan(60_000);
    await world.delay('tags.list', '5ms');
    const late = await fetch(`${url}/public/tags`, { headers: { 'X-API-Key': world.connection.apiKey } });
    expect(late.status).toBe(200);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

test('an invalid port is refused', async () => {
  const command = program().parseAsync(['--port', 'x'], { from: 'user' });
  await expect(command).rejects.toThrow(/port must be an integer from 0 to 65535; received NaN/);
});

test.each([
  ['"4.1 posts"', /--known: .*known\.json is not a JSON list: expected a list, received "4\.1 posts"/],
  ['[', /--known: .*known\.json is not a JSON list: /],
])('known deviations that are not a list are refused: %s', async (text, message) => {
  const folder = temporaryFolder();
  await folder.write({ 'known.json': text });
  const args = ['parity', 'http://127.0.0.1:1', '--api-key', 'k', '--known', folder.join('known.json')];
  await expect(program().parseAsync(args, { from: 'user' })).rejects.toThrow(message);
});
