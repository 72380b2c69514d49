import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMock, type World } from '../packages/mock-server/src/index.ts';
import { temporaryFolder } from './testing/folder.ts';
import { buildSdk, installExample } from './testing/installed-example.ts';
import { run } from './testing/run.ts';
import { visitSite } from './testing/visit-site.ts';

// Examples with their own server: installed with the packed SDK, built and started as a reader would.

beforeAll(buildSdk);

describe.each([
  ['sveltekit', 'build/index.js', '/ad', 'build/client'],
  ['nuxt', '.output/server/index.mjs', '/api/ad', '.output/public'],
])('the %s example', (name, start, ad, sent) => {
  const folder = temporaryFolder();

  test('is built, lists and shows posts, and counts the click of an ad', async () => {
    const site = folder.path;
    installExample(name, site);

    const mock = createMock();
    await using api = await mock.listen();
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      HOST: '127.0.0.1',
      // Both frameworks reject a cross-origin POST, so they must know their own origin.
      ORIGIN: 'https://my.blog',
      BROADSHEET_BASE_URL: api.url,
      BROADSHEET_API_KEY: mock.main.apiKey,
      BROADSHEET_WEBHOOK_SECRET: mock.main.webhookSecret,
    };
    run('npm', ['run', 'build'], site, env);
    const server = spawn(process.execPath, [join(site, start)], {
      cwd: site,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void server.kill());
    const [line] = await once(server.stdout, 'data');
    const url = /https?:\/\/[\w.:[\]-]+/.exec(String(line))?.[0] ?? '';
    await visitSite((path, init) => fetch(url + path, init), mock.main, ad);

    if (name === 'sveltekit') await showsChanges(mock.main, url);

    const files = globSync('**/*.{js,css,html}', { cwd: join(site, sent) });
    expect(files.length).toBeGreaterThan(3);
    for (const file of files)
      expect(readFileSync(join(site, sent, file), 'utf8'), file).not.toContain(mock.main.apiKey);
  });
});

/** A page is cached until the webhook reports a change. */
async function showsChanges(world: World, url: string): Promise<void> {
  const post = world.blog.posts?.find(({ status }) => status === 'PUBLISHED');
  const page = async () => (await fetch(`${url}/posts/${post?.slug}`)).text();
  expect(await page()).toContain(post?.title);
  world.put({ posts: [{ ...post, title: 'Changed since' } as NonNullable<typeof post>] });
  expect(await page()).not.toContain('Changed since');
  const request = await world.webhook('post.updated', { id: post?.id ?? '', url: `${url}/webhook` });
  expect((await fetch(request)).status).toBe(204);
  expect(await page()).toContain('Changed since');
}
