// Long: installs the packages and two versions of npm, and runs every npx command of the documents with each.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../packages/mock-server/src/index.ts';
import { root } from './documents.ts';
import { programEnvironment } from './testing/environment.ts';
import { temporaryFolder } from './testing/folder.ts';
import { runIn } from './testing/guide.ts';
import { run } from './testing/run.ts';
import { freePort } from './testing/site.ts';

/** The npm of the oldest version of Node that we support, and the newest one. */
const NPMS = ['10.9.3', 'latest'] as const;
const project = temporaryFolder();
const mock = createMock();
let api: Awaited<ReturnType<typeof mock.listen>> | undefined;

const documents = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && !/CHANGELOG|^\.changeset/.test(path));
/** Every command of a document that runs one of our programs by npx, with a document that has it. */
const commands = new Map(
  documents.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\bnpx [^\n`]*\bbroadsheet(?:-mock)?\b[^\n`]*/g)].map(
      ([line]) => [line.replace(/ +#.*$/, ''), path] as const,
    ),
  ),
);

/** Runs a command that starts a mock until it prints its URL, and calls the function with it. */
async function whileRunning(command: string, env: Record<string, string>, use: (url: string) => Promise<void>) {
  const child = spawn('bash', ['-c', command], {
    cwd: project.path,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  try {
    for await (const line of createInterface(child.stdout)) {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (url) return await use(url);
    }
    throw new Error(`${command} ended before it printed its URL:\n${errors}`);
  } finally {
    // npx starts the program as a process of its own, in the same group.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid);
    child.stdout.resume();
    await closed;
  }
}

beforeAll(async () => {
  api = await mock.listen();
  const tarballs = readdirSync(join(root, 'tarballs'));
  for (const file of tarballs) copyFileSync(join(root, 'tarballs', file), project.join(file));
  writeFileSync(project.join('package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(project.join('blog.json'), JSON.stringify({ blogs: [mock.main.blog] }));
  run('npm', ['install', '--no-audit', '--no-fund', ...tarballs.map((file) => `./${file}`), 'msw'], project.path);
});
afterAll(() => api?.close());

describe.each(NPMS)('with npm %s', (version) => {
  const env = () =>
    programEnvironment({
      PATH: `${project.join(`npm-${version}/node_modules/.bin`)}:${process.env['PATH']}`,
      URL: api?.url ?? '',
      KEY: mock.main.apiKey,
    });

  beforeAll(() => {
    mkdirSync(project.join(`npm-${version}`));
    run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefix', '.', `npm@${version}`],
      project.join(`npm-${version}`),
    );
  });

  test('runs the npm that is meant', async () => {
    const printed = await runIn(project.path, 'npx --version', env());
    expect(printed).toMatch(version === 'latest' ? /^\d+\.\d+\.\d+\s/ : `${version}\n`);
  });

  test.each([...commands])('%s (%s)', async (line) => {
    const port = String(await freePort());
    const command = line
      .replace('4510', port)
      .replace('https://api.example', api?.url ?? '')
      .replace(/--api-key K\b/, `--api-key ${mock.main.apiKey}`);
    if (/broadsheet-mock (?:record|parity) /.test(command)) {
      expect(await runIn(project.path, command, env())).not.toContain('Unknown cli config');
      return;
    }
    await whileRunning(command, env(), async (url) => {
      if (line.includes('4510')) expect(new URL(url).port).toBe(port);
      const key = /--api-key (\S+)/.exec(line)?.[1];
      if (key === undefined) return;
      expect((await fetch(`${url}/public/posts`, { headers: { 'X-API-Key': key } })).status).toBe(200);
    });
  });
});

test('the documents have such commands', () => {
  expect(commands.size).toBeGreaterThan(5);
});
