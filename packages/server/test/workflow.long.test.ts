import { execFile } from 'node:child_process';
import { chmod, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { png, SAMPLE_IMAGES } from '../../../tools/testing/images.ts';
import { installExample } from '../../../tools/testing/installed-example.ts';
import { buildNext, startNext } from '../../../tools/testing/next-site.ts';
import { freePort } from '../../../tools/testing/site.ts';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { deploy } from '../../workers/test/deployment.ts';
import { broadsheet, type RunOptions, serve } from './broadsheet.ts';

// The workflow of a site's developer, with real processes: CI publishes a folder on a server on another machine, a site
// built with Next shows each change without a build, and an editor opens a draft in the site.

const WORKFLOW = new URL('../../../examples/publish-from-ci/publish.yml', import.meta.url);
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** Milliseconds to wait for a page; the times that were measured are printed. */
const PATIENCE = 15_000;

/** A server on another machine: others know only its URL, and a token. */
interface Server {
  /** The URL to which CI sends the folder. */
  readonly url: string;
  /** The URL from which the site reads: another process, if the server has several. */
  readonly readUrl: string;
  /** Runs a command as the operator of the server, and returns its JSON. */
  operate(...args: readonly string[]): Promise<Record<string, string>>;
}

/** The operator of a server, whose commands use its database, or its URL and a secret. */
const operatorOf =
  (database: string, options: RunOptions): Server['operate'] =>
  async (...args) => {
    const { code, stdout, stderr } = await broadsheet([...args, '--json', '--database', database], options);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };

/** The commands of the workflow, without the installation of the package. */
async function commands(): Promise<readonly string[]> {
  const text = await readFile(WORKFLOW, 'utf8');
  expect(text).toContain('DATABASE_URL: https://blog.example\n');
  expect(text).toMatch(/BROADSHEET_ADMIN_TOKEN: \$\{\{ secrets\.BROADSHEET_ADMIN_TOKEN \}\}\n/);
  const [install, ...others] = [...text.matchAll(/^ +- run: (.+)$/gm)].map(([, line = '']) => line);
  expect(install).toBe('npm install --global ./.github/broadsheet-server-*.tgz');
  return others;
}

/** The machine of CI. Returns the folder of posts, and a function that runs the workflow and returns what it printed. */
async function openRunner(url: string, token: string) {
  const machine = temporaryFolder();
  // Stands in for the installed package.
  const program = `#!/bin/sh\nexec "${process.execPath}" --conditions=@broadsheet/source "${MAIN}" "$@"\n`;
  await machine.write({ 'bin/broadsheet': program });
  await chmod(machine.join('bin/broadsheet'), 0o755);
  const env = {
    PATH: `${machine.join('bin')}:${process.env['PATH']}`,
    HOME: machine.path,
    DATABASE_URL: url,
    BROADSHEET_ADMIN_TOKEN: token,
  };
  return {
    write: (files: Readonly<Record<string, string | Uint8Array>>) =>
      machine.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`checkout/posts/${name}`, text]))),
    remove: (name: string) => rm(machine.join('checkout/posts', name)),
    async push() {
      let printed = '';
      for (const line of await commands()) {
        const options = { cwd: machine.join('checkout'), env };
        const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-c', line], options);
        printed += stdout + stderr;
      }
      return printed;
    },
  };
}

/** Checks whether each image of a post was loaded and decoded. */
const imagesAreShown = (page: Page) =>
  page.locator('article img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));

describeInChromium('the workflow of a site developer', ({ newPage }) => {
  const folder = temporaryFolder();
  let site = '';
  beforeAll(async () => {
    site = await installExample('nextjs', folder.path);
  });

  async function follow(name: string, server: Server): Promise<void> {
    const { apiKey = '' } = await server.operate('blogs', 'create', 'news');
    const scope = ['--scope', 'import', '--blog', 'news', '--expires', '90d'];
    const { token = '' } = await server.operate('tokens', 'create', 'ci', ...scope);
    const runner = await openRunner(server.url, token);
    await runner.write({
      'first.md': '---\ntitle: First\n---\n\n![Us](<images/über uns.png>)\n',
      'second.md': '---\ntitle: Second\n---\n\nText.\n',
      'images/über uns.png': png(1, 1),
    });
    expect(await runner.push()).toContain('news: 2 posts (2 new)');

    const port = await freePort();
    const siteUrl = `http://127.0.0.1:${port}`;
    const { secret = '' } = await server.operate('hooks', 'add', 'news', `${siteUrl}/api/revalidate`);
    const env = {
      BROADSHEET_BASE_URL: server.readUrl,
      BROADSHEET_API_KEY: apiKey,
      BROADSHEET_WEBHOOK_SECRET: secret,
    };
    await buildNext(site, env);
    const next = await startNext(site, env, port);
    onTestFinished(() => next.stop());
    const read = async (path: string) => (await fetch(siteUrl + path)).text();
    for (const title of ['First', 'Second']) expect(await read('/')).toContain(`>${title}<`);

    const pushed = async (what: string, isShown: () => Promise<boolean>) => {
      const printed = await runner.push();
      const end = performance.now();
      await expect.poll(isShown, { timeout: PATIENCE, interval: 20 }).toBe(true);
      console.info(`${name}: the site showed ${what} ${Math.round(performance.now() - end)} ms after the push`);
      return printed;
    };
    const draft = '---\ntitle: To come\ndraft: true\ntags: [tea]\n---\n\n![Us](<images/über uns.png>)\n';
    await runner.write({ 'first.md': '---\ntitle: First, edited\n---\n\n![It](moved.gif)\n' });
    await runner.write({ 'moved.gif': SAMPLE_IMAGES.gif, 'soon.md': draft });
    await runner.remove('second.md');
    const printed = await pushed('an edited and a deleted post', async () => {
      const pages = await Promise.all([read('/'), read('/posts/first')]);
      const isEdited = pages.every((page) => page.includes('First, edited'));
      return isEdited && !pages[0]?.includes('Second') && (await fetch(`${siteUrl}/posts/second`)).status === 404;
    });
    expect(printed).toContain('changed posts: “First, edited”\nremoved posts: “Second”');
    const reader = await newPage();
    await reader.goto(`${siteUrl}/posts/first`);
    expect(await imagesAreShown(reader)).toEqual([1]);

    const { posts } = (await server.operate('posts', 'list', 'news', '--status', 'DRAFT')) as unknown as {
      posts: { id: string }[];
    };
    const id = posts[0]?.id ?? '';
    const preview = await server.operate('posts', 'preview', 'news', id, '--url', `${siteUrl}/preview`);
    const editor = await newPage();
    await editor.goto(preview['url'] ?? '');
    expect(editor.url()).toBe(`${siteUrl}/posts/soon`);
    expect(await editor.locator('h1').textContent()).toBe('To come');
    expect(await imagesAreShown(editor)).toEqual([1]);
    const stranger = await reader.goto(`${siteUrl}/posts/soon`);
    expect([stranger?.status(), await reader.content()]).toEqual([404, expect.not.stringContaining('To come')]);
    const published = ['/posts', '/posts/slug/soon', `/posts/${id}`, '/search?q=come', '/tags'];
    for (const path of published) {
      const response = await fetch(`${server.readUrl}/public${path}`, { headers: { 'X-API-Key': apiKey } });
      expect(await response.text(), path).not.toMatch(/To come|DRAFT/);
    }

    await runner.write({ 'soon.md': draft.replace('draft: true\n', '') });
    await pushed('a published draft', async () => (await fetch(`${siteUrl}/posts/soon`)).status === 200);
    await expect.poll(() => read('/'), { timeout: PATIENCE }).toContain('To come');

    await server.operate('tokens', 'revoke', 'ci');
    // A server without any token has no management.
    await expect(runner.push()).rejects.toThrow(/refuses the token|Management is disabled/);
  }

  it('CI publishes on a server, the site shows it, and an editor sees a draft', async () => {
    const folder = temporaryFolder();
    // Two processes, which notify each other of changes through the database.
    const database = inject('postgres') ? await createPostgres('template0') : `sqlite:${folder.join('test.db')}`;
    // The site runs on the machine of the test, so its address is private.
    const options = { cwd: folder.path, env: { ALLOW_PRIVATE_WEBHOOKS: '1' } };
    const servers = await Promise.all([1, 2].map(() => serve(['--database', database], options)));
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))));
    const [url = '', readUrl = ''] = servers.map((server) => server.url);
    await follow('Servers', { url, readUrl, operate: operatorOf(database, { cwd: folder.path }) });
  });

  it('on Workers, CI publishes on a deployment, the site shows it, and an editor sees a draft', async () => {
    const { url, token, stop } = await deploy();
    onTestFinished(stop);
    // Its operator has no database, only its secret. It sends webhooks to every address.
    const options = { cwd: temporaryFolder().path, env: { BROADSHEET_ADMIN_TOKEN: token } };
    await follow('Workers', { url, readUrl: url, operate: operatorOf(url, options) });
  });
});
