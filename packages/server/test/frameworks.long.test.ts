import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { putDifficultPosts } from '../../../tools/testing/difficult-posts.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { SAMPLE_IMAGES } from '../../../tools/testing/images.ts';
import { installExample } from '../../../tools/testing/installed-example.ts';
import { run } from '../../../tools/testing/run.ts';
import { freePort, openSite } from '../../../tools/testing/site.ts';
import { visitDifficult, visitMalformed, visitSite } from '../../../tools/testing/visit-site.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { createMock } from '../../mock-server/src/index.ts';
import { broadsheet, serve } from './broadsheet.ts';

// The sites of guides with their own server, built and started as a reader would.

const { PATH, HOME } = process.env;
// Both frameworks reject a cross-origin POST, so they must know their own origin.
const SITE = { PATH, HOME, HOST: '127.0.0.1', ORIGIN: 'https://my.blog', ASTRO_TELEMETRY_DISABLED: '1' };

/** Starts the program of a site that was built, and waits until it responds. */
async function startSite(site: string, program: string, env: NodeJS.ProcessEnv, port: number): Promise<string> {
  const started = spawn(process.execPath, [join(site, program)], {
    cwd: site,
    env: { ...SITE, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(async () => {
    started.kill();
    if (started.exitCode === null) await once(started, 'exit');
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('the site responds', async () => {
    if (started.exitCode !== null) throw new Error(`${program} ended with ${started.exitCode}`);
    return fetch(url).then(
      () => true,
      () => false,
    );
  });
  return url;
}

describe.each([
  ['sveltekit', 'build/index.js', '/ad', 'build/client'],
  ['nuxt', '.output/server/index.mjs', '/api/ad', '.output/public'],
] as const)('the %s example', (name, program, ad, sent) => {
  const folder = temporaryFolder();
  const site = folder.join('site');

  test('is built, lists and shows posts, and counts the click of an ad', async () => {
    await installExample(name, folder.path);
    const mock = createMock();
    if (name === 'sveltekit') putDifficultPosts(mock.main);
    await using api = await mock.listen();
    const env = { BROADSHEET_BASE_URL: api.url, BROADSHEET_API_KEY: mock.main.apiKey };
    run('npm', ['run', 'build'], site, { ...SITE, ...env });
    if (name === 'sveltekit') expect(run('npm', ['run', 'check'], site)).toContain('0 errors');
    const url = await startSite(site, program, env, await freePort());
    const ask = (path: string, init?: RequestInit) => fetch(url + path, init);
    await visitSite(ask, mock.main, ad);
    if (name === 'sveltekit') {
      await visitDifficult(ask, mock.main);
      await visitMalformed(ask);
    }

    const files = globSync('**/*.{js,css,html}', { cwd: join(site, sent) });
    expect(files.length).toBeGreaterThan(3);
    for (const file of files)
      expect(readFileSync(join(site, sent, file), 'utf8'), file).not.toContain(mock.main.apiKey);
  });

  test('shows the images of a post, and its changes', async () => {
    const { env, operate, publish } = await openServer();
    await publish('First');
    const port = await freePort();
    const hook = name === 'sveltekit' && (await operate('hooks', 'add', 'news', `http://127.0.0.1:${port}/webhook`));
    const secret = hook && { BROADSHEET_WEBHOOK_SECRET: hook.secret };
    const url = await startSite(site, program, { ...env, ...secret }, port);
    const page = async () => (await fetch(`${url}/posts/first`)).text();
    expect(await page()).toContain('First');
    expect(await imagesOf(await page())).toEqual(['image/png']);
    await publish('Changed since');
    await expect.poll(page, { timeout: 15_000 }).toContain('Changed since');
  });
});

describe('the Astro example', () => {
  test('a webhook builds it again after a change of a post, and an editor opens a draft', async () => {
    const { env, operate, publish } = await openServer();
    await publish('First');
    const site = await installExample('astro', temporaryFolder().path);
    const build = () => promisify(execFile)('npm', ['run', 'build'], { cwd: site, env: { ...SITE, ...env } });
    const page = () => readFileSync(join(site, 'dist/client/posts/first/index.html'), 'utf8');
    expect(run('npm', ['run', 'check'], site, SITE)).toContain('- 0 errors');
    await build();
    expect(page()).toContain('<h1>First</h1>');
    expect(await imagesOf(page())).toEqual(['image/png']);

    // Stands in for the host of the site, with the URL of its build hook.
    let builds = 0;
    let built: Promise<unknown> | undefined;
    await using host = await openSite((request, response) => {
      const isHook = request.method === 'POST' && request.url === '/build_hooks/YOUR_ID';
      response.writeHead(isHook ? 200 : 404).end();
      builds += 1;
      built = build();
    });
    const [, events = ''] = /^broadsheet hooks add .* --events (.*)$/m.exec(readFileSync(GUIDE, 'utf8')) ?? [];
    await operate('hooks', 'add', 'news', `${host.url}/build_hooks/YOUR_ID`, '--events', ...events.split(' '));
    await operate('ads', 'add', 'news', '--format', 'BANNER', '--title', 'Tea');
    await publish('Changed since');
    await waitUntil('the host was called', () => builds > 0);
    await built;
    expect(page()).toContain('<h1>Changed since</h1>');
    expect(builds).toBe(1);

    const { posts } = await operate('posts', 'list', 'news', '--status', 'DRAFT');
    const url = await startSite(site, 'dist/server/entry.mjs', env, await freePort());
    const preview = await operate('posts', 'preview', 'news', posts[0].id, '--url', `${url}/preview`);
    const draft = await fetch(preview.url);
    expect([draft.status, draft.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const text = await draft.text();
    expect(text).toContain('<h1>Soon</h1>');
    expect(await imagesOf(text)).toEqual(['image/png']);
    expect((await fetch(`${url}/preview?token=a.b.c`)).status).toBe(401);
    expect((await fetch(`${url}/posts/soon/`)).status).toBe(404);
  });
});

const GUIDE = new URL('../../../docs/guides/astro.md', import.meta.url);

/** A server in another process that sends webhooks to sites on this machine. */
async function openServer() {
  const folder = temporaryFolder();
  const database = ['--database', `sqlite:${folder.join('test.db')}`];
  const server = await serve(database, { cwd: folder.path, env: { ALLOW_PRIVATE_WEBHOOKS: '1' } });
  onTestFinished(async () => void (await server.stop()));
  const operate = async (...args: readonly string[]) => {
    const options = { cwd: folder.path, env: { PUBLIC_URL: server.url } };
    const { code, stdout, stderr } = await broadsheet([...args, '--json', ...database], options);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const { apiKey } = await operate('blogs', 'create', 'news');
  /** Imports a folder with a post of this title, and a draft, both with an image. */
  const publish = async (title: string) => {
    const post = (settings: string) => `---\n${settings}\n---\n\n![Us](us.png)\n`;
    const files = { 'first.md': post(`title: ${title}`), 'soon.md': post('title: Soon\ndraft: true') };
    await folder.write({ 'posts/us.png': SAMPLE_IMAGES.png });
    for (const [name, text] of Object.entries(files)) await folder.write({ [`posts/${name}`]: text });
    await operate('import', 'posts', '--blog', 'news');
  };
  return { env: { BROADSHEET_BASE_URL: server.url, BROADSHEET_API_KEY: apiKey as string }, operate, publish };
}

/** The content types of the images of a page. */
const imagesOf = (page: string): Promise<(string | null)[]> =>
  Promise.all(
    [...page.matchAll(/<img [^>]*src="([^"]+)"/g)].map(async ([, url = '']) => {
      const image = await fetch(url);
      return image.ok ? image.headers.get('content-type') : null;
    }),
  );
