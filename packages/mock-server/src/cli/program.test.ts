import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { program } from './program.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

test('the command serves a seeded blog and says where, with which key', async () => {
  const args = ['--conditions=@broadsheet/source', main, '--port', '0', '--api-key', 'my-key'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [, url = ''] = /^(http:\S+) {2}X-API-Key: my-key/.exec(String(line)) ?? [];
    const response = await fetch(`${url}/public/posts`, { headers: { 'X-API-Key': 'my-key' } });
    expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(10);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

test('a port that is none is refused', async () => {
  const command = program()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  await expect(command.parseAsync(['--port', 'x'], { from: 'user' })).rejects.toThrow(/whole number from 0 to 65535/);
});
