import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// What users install: built, packed and unpacked again in an empty project, away from this workspace. It takes minutes,
// so it runs in CI, and where PACKAGES=1 asks for it.
const wanted = Boolean(process.env['CI'] ?? process.env['PACKAGES']);
if (!wanted) console.warn('\n*** SKIPPED: the packed packages are tested in CI, or with PACKAGES=1 ***\n');

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = ['sdk', 'ad-widget', 'mock-server', 'server'];
const project = mkdtempSync(join(tmpdir(), 'broadsheet-packed-'));
const run = (command: string, args: string[], cwd = project): string =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });

describe.skipIf(!wanted)('the packed packages', () => {
  beforeAll(() => {
    run('pnpm', ['build'], root);
    for (const name of packages) run('pnpm', ['pack', '--pack-destination', project], join(root, 'packages', name));
    const tarballs = readdirSync(project).filter((file) => file.endsWith('.tgz'));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs.map((file) => `./${file}`)]);
  }, 300_000);

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  test.each(packages)('%s passes publint without a message', async (name) => {
    const pkgDir = join(root, 'packages', name);
    const { messages } = await publint({ pkgDir, strict: true });
    const manifest = JSON.parse(readFileSync(join(pkgDir, 'package.json'), 'utf8'));
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  test.each(packages)('%s names no private package in what it ships', (name) => {
    const dist = join(project, 'node_modules', '@broadsheet', name, 'dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(c?js|d\.c?ts)$/.test(file),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const text = readFileSync(join(dist, file), 'utf8');
      expect(text, file).not.toMatch(/(from|require\(|import\()\s*['"]@broadsheet\/(contract|core|conformance)['"]/);
    }
  });

  const conversation = `
  const mock = createMock();
  const blog = createClient({ ...mock.connection, fetch: mock.fetch });
  const titles = [];
  blog.posts.list().take(3).then(async (posts) => {
    for (const post of posts) titles.push(post.title);
    const ad = await blog.ads.deliver('BANNER');
    console.log(JSON.stringify({ titles: titles.length, filled: ad.filled }));
  });`;

  describe('in an empty project', () => {
    test('the SDK and the mock talk as ES modules', () => {
      const program = `import { createClient } from '@broadsheet/sdk';\nimport { createMock } from '@broadsheet/mock-server';\n${conversation}`;
      writeFileSync(join(project, 'a.mjs'), program);
      expect(JSON.parse(run('node', ['a.mjs']))).toEqual({ titles: 3, filled: true });
    });

    test('the SDK is required as CommonJS', () => {
      const program = `const { createClient } = require('@broadsheet/sdk');\nimport('@broadsheet/mock-server').then(({ createMock }) => {${conversation}});`;
      writeFileSync(join(project, 'b.cjs'), program);
      expect(JSON.parse(run('node', ['b.cjs']))).toEqual({ titles: 3, filled: true });
    });

    test.each(['nodenext', 'bundler'])('types resolve under %s', (resolution) => {
      writeFileSync(
        join(project, 'types.ts'),
        `import { createClient } from '@broadsheet/sdk';
       import { createMock } from '@broadsheet/mock-server';
       import { createAds } from '@broadsheet/ad-widget';
       const mock = createMock();
       const blog = createClient({ ...mock.connection, fetch: mock.fetch });
       export async function first(): Promise<string | undefined> {
         const { items } = await blog.posts.list({ limit: 1 });
         return items[0]?.title;
       }
       export const ads: typeof createAds = createAds;`,
      );
      const module = resolution === 'nodenext' ? 'nodenext' : 'esnext';
      const options = [
        '--noEmit',
        '--strict',
        '--lib',
        'es2023,dom,dom.iterable,esnext.disposable',
        '--module',
        module,
        '--moduleResolution',
        resolution,
      ];
      const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
      const compile = () => run('node', [compiler, ...options, '--types', '', '--skipLibCheck', 'types.ts']);
      expect(compile).not.toThrow();
    });

    test('the commands start', () => {
      expect(run('npx', ['broadsheet', '--help'])).toContain('serve');
      expect(run('npx', ['broadsheet-mock', '--help'])).toContain('parity');
    });
  });
});
