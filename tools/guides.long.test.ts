import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMock } from '../packages/mock-server/src/index.ts';
import { temporaryFolder } from './testing/folder.ts';
import { follow, type Reader, readGuide, runIn } from './testing/guide.ts';
import { png } from './testing/images.ts';
import { freePort, openSite } from './testing/site.ts';
import { describeInChromium } from './testing/stage.ts';
import { visitSite } from './testing/visit-site.ts';
import { waitUntil } from './testing/wait-until.ts';

// Each guide is followed literally, in its own folder, with the packages that `pnpm tarballs` has packed. The guides
// for Next.js, Astro, SvelteKit and Nuxt are followed in nextjs.long.test.ts and in frameworks.long.test.ts of the
// server, and the guide for tests in packages/mock-server/test/recipes.

const machine = temporaryFolder();
const programs = () => machine.join('programs/bin');
/** The environment of a shell on the reader's machine, with the variables that guides ask the reader to set. */
const shell: NodeJS.ProcessEnv = {};
const post = (title: string) => `---\ntitle: ${title}\ndate: 2026-01-02\ntags: [tea]\n---\n\nWords about ${title}.\n`;
let api = '';
let key = '';
let stopServer: (() => Promise<unknown>) | undefined;

/** Starts a program that prints a line with its URL; returns the URL. */
async function start(cwd: string, command: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn('bash', ['-c', `exec ${command}`], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...shell, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  };
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url) return { url, stop };
  }
  throw new Error(`${command} ended before it printed its URL`);
}

/** The parts of a command's output that a reader writes down. */
function learn(line: string, printed: string): Record<string, string> {
  const [, apiKey] = /API key of .*, shown only once: (\S+)/.exec(printed) ?? [];
  const [, token] = /^Token .*, shown only once: (\S+)/m.exec(printed) ?? [];
  const [, campaign] = (line.startsWith('broadsheet campaigns add') && /^Added (\S+)\.$/m.exec(printed)) || [];
  if (token) shell['BROADSHEET_ADMIN_TOKEN'] = token;
  key = apiKey ?? key;
  return { ...(apiKey && { $KEY: apiKey, YOUR_KEY: apiKey }), ...(campaign && { CAMPAIGN: campaign }) };
}

/** A reader in a folder of this machine, which has a server and a blog. */
const reader = (folder: string, more: Partial<Reader> = {}): Reader => ({
  ...{ folder: machine.join(folder), env: shell, learn },
  ...more,
  values: { 'https://blog.example': api, YOUR_KEY: key, ...more.values },
});

/** Runs TypeScript that a guide shows as a program, and returns what it printed. */
async function program(folder: string, code: string): Promise<string> {
  writeFileSync(machine.join(folder, 'step.ts'), code);
  return runIn(machine.join(folder), 'node step.ts', shell);
}

describeInChromium('a reader', ({ newPage }) => {
  afterAll(() => stopServer?.());

  test('gets from a folder of Markdown to a page with an ad in five minutes', async () => {
    Object.assign(shell, { PATH: `${programs()}:${process.env['PATH']}`, npm_config_prefix: machine.join('programs') });
    // Removes what an earlier attempt has left.
    await stopServer?.();
    await rm(machine.join('five'), { recursive: true, force: true });
    await machine.write({ 'five/posts/one.md': post('One'), 'five/posts/two.md': post('Two') });
    const database = machine.join('five/broadsheet.db');
    const url = `http://127.0.0.1:${await freePort()}`;
    const serve = async () => {
      const server = await start(machine.join('five'), `broadsheet serve --port ${new URL(url).port}`, {
        TRUST_PROXY: '1',
      });
      stopServer = server.stop;
      api = server.url;
    };
    let printed = '';
    await follow(readGuide('five-minutes.md'), {
      ...reader('five', { commands: { 'broadsheet serve': serve } }),
      values: { 'http://127.0.0.1:4500': url },
      learn(line, said) {
        printed += said;
        const { $KEY } = learn(line, said);
        return $KEY ? { $KEY, YOUR_KEY: $KEY, 'the-key-of-step-1': $KEY } : {};
      },
      async other({ language }, code) {
        if (language === 'ts') return program('five', code);
        const page = await newPage();
        await using site = await openSite(
          (_, response) => void response.setHeader('content-type', 'text/html').end(code),
        );
        await page.goto(site.url);
        return page.locator('broadsheet-slot a[rel~=sponsored]').waitFor();
      },
    });
    expect(printed).toMatch(/"title":"Two"[\s\S]* One\n[\s\S]*Ink by the litre/);
    Object.assign(shell, { DATABASE_URL: `sqlite:${database}`, BROADSHEET_BASE_URL: api, BROADSHEET_API_KEY: key });
  });

  test('puts ads into a page, and sells campaigns', async () => {
    const shown: Record<string, string> = {};
    await machine.write({ 'ads/tea.png': png(8, 8) });
    await follow(readGuide('embed-ads.md'), {
      ...reader('ads'),
      async other({ language }, code) {
        shown[language] = (shown[language] ?? '') + code;
      },
    });
    const page = await newPage();
    const html = `${shown['html']}<style>${shown['css']}</style><script>${shown['js']}</script>`;
    await using site = await openSite((_, response) => void response.setHeader('content-type', 'text/html').end(html));
    await page.goto(site.url);
    await page.locator('broadsheet-slot[name=top] a[rel~=sponsored]').waitFor();
    expect(await page.locator('broadsheet-slot[name=end]').textContent()).toContain('Read our newsletter');
  });

  test('shows posts and ads on a page without a build', async () => {
    const folder = machine.join('plain');
    await follow(readGuide('plain-html.md'), reader('plain', { values: { 'http://127.0.0.1:4500': api } }));
    await using site = await openSite((request, response) => {
      const path = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1);
      response.setHeader('content-type', path.endsWith('.html') ? 'text/html' : 'text/javascript');
      response.end(readFileSync(resolve(folder, path)));
    });
    const page = await newPage();
    await page.goto(site.url);
    await page.locator('#newest li').nth(1).waitFor();
    await page.locator('broadsheet-slot a[rel~=sponsored]').waitFor();
  });

  test.each([
    ['react', 'react.md', 'react react-dom @types/react @types/react-dom'],
    ['vue', 'vue.md', 'vue @vitejs/plugin-vue'],
    ['svelte', 'svelte.md', 'svelte @sveltejs/vite-plugin-svelte'],
  ])('builds the component for %s', async (name, guide, libraries) => {
    const folder = machine.join(name);
    cpSync(resolve(import.meta.dirname, '../examples', name), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await runIn(folder, `npm install vite ${libraries}`, shell);
    const blocks = readGuide(guide).filter(({ section }) => section !== 'SvelteKit' && section !== 'Nuxt');
    await follow(blocks, { ...reader(name), other: (_, code) => program(name, code) });
    await runIn(folder, 'npx vite build', shell);
    await using site = await openSite((request, response) => {
      const path = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1);
      const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
      response.setHeader('content-type', types[path.slice(path.lastIndexOf('.') + 1)] ?? '');
      response.end(readFileSync(join(folder, 'dist', path)));
    });
    const page = await newPage();
    await page.goto(site.url);
    await page.locator('main li').nth(1).waitFor();
    await page.locator('broadsheet-slot[format=BANNER] a[rel~=sponsored]').waitFor();
  });

  describe('in a program', () => {
    test('reads every post, and serves ads', async () => {
      const port = await freePort();
      const outputs: string[] = [];
      await follow(readGuide('node.md'), {
        ...reader('node', { values: { 'listen(3000)': `listen(${port})` } }),
        async other(_, code) {
          if (!code.includes('listen(')) return void outputs.push(await program('node', code));
          writeFileSync(machine.join('node/server.ts'), code);
          const child = spawn('node', ['server.ts'], {
            cwd: machine.join('node'),
            env: { ...process.env, NODE_OPTIONS: '', ...shell },
          });
          onTestFinished(() => void child.kill());
          const ask = () => fetch(`http://127.0.0.1:${port}`).catch(() => undefined);
          await waitUntil('the server responds', async () => (await ask()) !== undefined);
          outputs.push(await ((await ask())?.text() ?? ''));
        },
      });
      expect(outputs).toEqual([expect.stringMatching(/Z (?:One|Two)\n/), expect.stringContaining('"filled":true')]);
    });

    test.each([
      ['ky', 'ky.md'],
      ['otel', 'opentelemetry.md'],
    ])('adapts the client to %s', async (folder, guide) => {
      await follow(readGuide(guide), { ...reader(folder), other: (_, code) => program(folder, code) });
    });

    test('writes a feed', async () => {
      const [module, route] = readGuide('feeds.md');
      await runIn(machine.join(''), `mkdir -p feeds && cp -r node/node_modules feeds`, shell);
      writeFileSync(machine.join('feeds/feed.ts'), module?.code ?? '');
      const code = route?.code.replace(/^declare function toFeed.*\n/m, "import { toFeed } from './feed.ts';\n");
      const printed = await program('feeds', `${code}\nconsole.log(await (await GET()).text());`);
      expect(printed).toMatch(/<rss[\s\S]*<title>Two<\/title>/);
    });

    test('responds from a Worker', async () => {
      const [worker] = readGuide('cloudflare-workers.md');
      await runIn(machine.join(''), `mkdir -p worker && cp -r node/node_modules worker`, shell);
      writeFileSync(machine.join('worker/worker.ts'), worker?.code ?? '');
      const call = `import worker from './worker.ts';
        const request = new Request('https://my.blog/', { headers: { 'cf-connecting-ip': '203.0.113.9' } });
        console.log(await (await worker.fetch(request, process.env as never)).text());`;
      expect(JSON.parse(await program('worker', call))).toMatchObject({ posts: [{}, {}], ad: { filled: true } });
    });
  });

  test('serves a site on Express and on Hono, with a webhook', async () => {
    const mock = createMock();
    await using blog = await mock.listen();
    const secret = mock.main.webhookSecret;
    const connection = { BROADSHEET_BASE_URL: blog.url, BROADSHEET_API_KEY: mock.main.apiKey };
    await follow(readGuide('express-hono.md'), reader('express'));
    const port = String(await freePort());
    const site = await start(machine.join('express'), 'node server.ts', {
      ...connection,
      PORT: port,
      BROADSHEET_WEBHOOK_SECRET: secret,
    });
    onTestFinished(site.stop);
    await visitSite((path, init) => fetch(site.url + path, init), mock.main);
    const { posts: [first] = [] } = mock.main.blog;
    const shown = async () => (await fetch(`${site.url}/posts/${first?.slug}`)).text();
    await shown();
    mock.main.put({ posts: [{ ...first, title: 'Changed since' } as NonNullable<typeof first>] });
    expect(await shown()).not.toContain('Changed since');
    const report = async () =>
      fetch(await mock.main.webhook('post.updated', { id: first?.id ?? '', url: `${site.url}/webhook` }));
    expect((await report()).status).toBe(204);
    expect(await shown()).toContain('Changed since');
    // An outage right after an edit takes down no page.
    const outage = mock.main.fail('*', 503);
    expect((await report()).status).toBe(204);
    expect(await shown()).toContain('Changed since');
    outage.lift();
    for (const [path, status] of [
      ['/webhook', 400],
      ['/ad', 400],
    ] as const) {
      expect((await fetch(site.url + path, { method: 'POST' })).status, path).toBe(status);
    }
    const serve =
      "import { serve } from '@hono/node-server';\nimport app from './app.ts';\nserve({ fetch: app.fetch, port: Number(process.env.PORT) }, ({ port }) => console.log('http://127.0.0.1:' + port));";
    writeFileSync(machine.join('express/serve.ts'), serve);
    await runIn(machine.join('express'), 'npm install @hono/node-server', shell);
    const world = mock.world();
    const env = { ...connection, BROADSHEET_API_KEY: world.apiKey, PORT: String(await freePort()) };
    const hono = await start(machine.join('express'), 'node serve.ts', env);
    onTestFinished(hono.stop);
    await visitSite((path, init) => fetch(hono.url + path, init), world);
    expect((await fetch(`${hono.url}/ad`, { method: 'POST' })).status).toBe(400);
  });

  test('invites people to the panel, imports a Ghost export, and publishes from CI', async () => {
    await follow(readGuide('panel.md'), reader('panel'));
    const data = {
      posts: [
        {
          id: '1',
          title: 'From Ghost',
          slug: 'ghost',
          html: '<p>Boo</p>',
          type: 'post',
          status: 'published',
          published_at: '2026-01-31 09:00:00',
          created_at: '2026-01-01T00:00:00.000Z',
        },
      ],
    };
    await machine.write({ 'ghost/my-blog.ghost.json': JSON.stringify({ db: [{ meta: { version: '6.0.0' }, data }] }) });
    await follow(readGuide('from-ghost.md'), reader('ghost'));
    await runIn(machine.path, 'broadsheet blogs create news || broadsheet blogs list | grep news', shell);
    await machine.write({ 'ci/posts/three.md': post('Three') });
    await follow(readGuide('publish-from-ci.md'), reader('ci'));
  });

  test('queries with TanStack Query', async () => {
    await follow(readGuide('tanstack-query.md'), {
      ...reader('tanstack'),
      other: async ({ language }, code) => {
        await runIn(machine.join('tanstack'), 'npm install --no-save react esbuild', shell);
        writeFileSync(machine.join('tanstack', `step.${language}`), code);
        await runIn(
          machine.join('tanstack'),
          `npx esbuild step.${language} --bundle --format=esm --platform=node --jsx=automatic --outfile=out.mjs && node out.mjs`,
          shell,
        );
      },
    });
  });
});
