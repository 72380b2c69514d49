import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { SAMPLE_IMAGES } from '../../../tools/testing/images.ts';
import { broadsheet, serve } from './broadsheet.ts';

const WORKFLOW = new URL('../../../examples/publish-from-ci/publish.yml', import.meta.url);
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The commands of the workflow in order. */
async function commands(): Promise<readonly string[]> {
  const text = await readFile(WORKFLOW, 'utf8');
  expect(text).toContain('DATABASE_URL: https://blog.example\n');
  expect(text).toMatch(/BROADSHEET_ADMIN_TOKEN: \$\{\{ secrets\.BROADSHEET_ADMIN_TOKEN \}\}\n/);
  return [...text.matchAll(/^ +- run: (.+)$/gm)].map(([, line = '']) => line);
}

describeDatabases('the workflow of the guide "Publish from CI"', (database) => {
  it('a push publishes a folder with images on a server on another machine', async () => {
    const own = (...args: readonly string[]) => broadsheet([...args, '--json', '--database', database.url], database);
    const { apiKey } = JSON.parse((await own('blogs', 'create', 'news')).stdout);
    const created = await own('tokens', 'create', 'ci', '--scope', 'import', '--blog', 'news', '--expires', '90d');
    const { token } = JSON.parse(created.stdout);
    const servers = await Promise.all([1, 2, 3].map(() => serve(['--database', database.url], database)));
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))));
    const [url = '', ...others] = servers.map((server) => server.url);

    // The machine of the workflow has no database; a script named `broadsheet` stands in for the installed package.
    const machine = join(database.cwd, 'runner');
    const posts = join(machine, 'checkout', 'posts');
    await mkdir(join(posts, 'images'), { recursive: true });
    await mkdir(join(machine, 'bin'));
    const program = `exec "${process.execPath}" --conditions=@broadsheet/source "${MAIN}" "$@"`;
    await writeFile(join(machine, 'bin/broadsheet'), `#!/bin/sh\n${program}\n`);
    await chmod(join(machine, 'bin/broadsheet'), 0o755);
    const push = async () => {
      let printed = '';
      for (const line of await commands()) {
        if (line === 'npm install --global @broadsheet/server') continue;
        const env = {
          PATH: `${join(machine, 'bin')}:${process.env['PATH']}`,
          HOME: machine,
          DATABASE_URL: url,
          BROADSHEET_ADMIN_TOKEN: token,
        };
        const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-c', line], {
          cwd: join(machine, 'checkout'),
          env,
        });
        printed += stdout + stderr;
      }
      return printed;
    };

    await writeFile(join(posts, 'images/über uns.png'), SAMPLE_IMAGES.png);
    await writeFile(join(posts, 'first.md'), '---\ntitle: First\n---\n\n![Us](<images/über uns.png>)\n');
    await writeFile(join(posts, 'second.md'), '---\ntitle: Second\n---\n\nText.\n');
    expect(await push()).toContain('news: 2 posts (2 new)');
    const list = async (server: string) => {
      const answer = await fetch(`${server}/public/posts`, { headers: { 'x-api-key': apiKey } });
      const { data } = (await answer.json()) as { data: { title: string; slug: string }[] };
      return data.map(({ title }) => title).sort();
    };
    for (const server of [url, ...others]) expect(await list(server)).toEqual(['First', 'Second']);
    const answer = await fetch(`${url}/public/posts/slug/first`, { headers: { 'x-api-key': apiKey } });
    const image = new RegExp(`${url}/media/[\\w.-]+`).exec(await answer.text())?.[0] ?? '';
    for (const server of [url, ...others]) {
      const stored = await fetch(image.replace(url, server));
      expect(stored.headers.get('content-type')).toBe('image/png');
      expect(new Uint8Array(await stored.arrayBuffer())).toEqual(new Uint8Array(SAMPLE_IMAGES.png));
    }

    await rm(join(posts, 'second.md'));
    await writeFile(join(posts, 'first.md'), '---\ntitle: First, edited\n---\nText.\n');
    expect(await push()).toContain('removed: 1 posts');
    for (const server of [url, ...others]) {
      await expect.poll(() => list(server), { timeout: 10_000 }).toEqual(['First, edited']);
    }

    await own('tokens', 'revoke', 'ci');
    await expect(push()).rejects.toThrow('Management is disabled');
  });
});
