import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../../src/node.ts';
import { writeRecipes } from './blocks.ts';

// Runs the recipes with their tools in an empty project, in which it installs a few hundred packages.

const packages = resolve(import.meta.dirname, '../../..');

describe('the recipes of the guide', { timeout: 120_000 }, () => {
  let project: string;
  const run = async (command: string, args: string[], env: Record<string, string> = {}, cwd = project) => {
    const { stdout, stderr } = await promisify(execFile)(command, args, {
      cwd,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    });
    return stdout + stderr;
  };

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'broadsheet-recipes-'));
    const tarballs = await Promise.all(['mock-server', 'sdk'].map((name) => packed(name)));
    await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const tools = [
      'jest@30',
      'jest-environment-jsdom@30',
      'jest-fixed-jsdom@0',
      'msw@3',
      'cypress@15',
      '@storybook/html@10',
      'storybook@10',
    ];
    // Without install scripts: the one of Cypress would download its browser.
    const how = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', ...how, ...tarballs, ...tools]);
    await writeRecipes(project);
  }, 300_000);

  afterAll(() => rm(project, { recursive: true, force: true }));

  /** Builds and packs into a separate folder: other tests build the package in place at the same time. */
  async function packed(name: string): Promise<string> {
    const folder = join(project, 'packed', name);
    const source = join(packages, name);
    await run('pnpm', ['exec', 'tsup', '--no-dts', '--out-dir', join(folder, 'dist')], {}, source);
    const {
      devDependencies: _,
      scripts: __,
      publishConfig,
      dependencies,
      ...manifest
    } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
    const plain = Object.entries(dependencies as Record<string, string>).map(([key, version]) => [
      key,
      version === 'catalog:' ? '*' : version,
    ]);
    const published = { ...manifest, exports: publishConfig.exports, dependencies: Object.fromEntries(plain) };
    await writeFile(join(folder, 'package.json'), JSON.stringify(published));
    const [tarball = ''] = (await run('npm', ['pack', '--silent', '--ignore-scripts'], {}, folder))
      .trim()
      .split('\n')
      .slice(-1);
    return join(folder, tarball);
  }

  const jest = (...flags: string[]): Promise<string> =>
    run('npx', ['jest', ...flags], { NODE_OPTIONS: '--experimental-vm-modules' }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    );

  test.each(['node', 'jest-fixed-jsdom'])('the Jest recipe passes in %s', async (environment) => {
    expect(await jest(`--env=${environment}`)).toMatch(/✓ says so when a post is gone/);
  });

  test('in plain jsdom Jest fails with advice', async () => {
    const own = `import { createMock } from '@broadsheet/mock-server';\ntest('is never run', () => void createMock());`;
    await writeFile(join(project, 'plain.spec.js'), own);
    const output = await jest('--env=jsdom', '--testMatch=**/plain.spec.js');
    expect(output).toContain("set Jest's testEnvironment to 'jest-fixed-jsdom' or 'node'");
    expect(output).toContain('Test suite failed to run');
  });

  test('the Cypress tasks control a world', async () => {
    const mock = createMock();
    await using server = await mock.listen();
    const program = `import config from './cypress.config.js';
      let tasks = {};
      await config.e2e.setupNodeEvents((_, given) => { tasks = given; }, {});
      const { baseUrl, apiKey } = await tasks.world();
      const ask = () => fetch(baseUrl + '/public/posts', { headers: { 'X-API-Key': apiKey } });
      const before = (await ask()).status;
      await tasks.mock(['fail', { target: 'posts.list', status: 500 }]);
      console.log(JSON.stringify([before, (await ask()).status]));`;
    await writeFile(join(project, 'drive.js'), program);
    expect(JSON.parse(await run('node', ['drive.js'], { MOCK_URL: server.url }))).toEqual([200, 500]);
  });

  test('the files for Cypress and Storybook compile with the types of their tools', async () => {
    const ours = (name: string) => [join(packages, name)];
    const compilerOptions = {
      ...{ allowJs: true, checkJs: true, noEmit: true, strict: true, noImplicitAny: false, skipLibCheck: true },
      ...{ module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true, target: 'es2022' },
      customConditions: ['@broadsheet/source'],
      lib: ['es2024', 'dom', 'dom.iterable', 'esnext.disposable'],
      types: ['cypress', 'node'],
      typeRoots: [join(packages, '../node_modules/@types'), join(project, 'node_modules')],
      paths: {
        // The same file that the sources are compiled with.
        'msw/browser': ours('mock-server/node_modules/msw/lib/browser/index.d.ts'),
        '@broadsheet/sdk': ours('sdk/src/index.ts'),
        '@broadsheet/mock-server': ours('mock-server/src/index.ts'),
        '@broadsheet/mock-server/*': ours('mock-server/src/*.ts'),
      },
    };
    const component = `/** @param {import('@broadsheet/sdk').Blog} blog */\nexport const newestPosts = (blog) => document.createElement(typeof blog);`;
    await writeFile(join(project, 'newest-posts.js'), component);
    const files = ['cypress.config.js', 'cypress/e2e/posts.cy.js', '.storybook/preview.js', 'newest-posts.stories.js'];
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const compiler = join(packages, '../node_modules/typescript-7/bin/tsc');
    const output = await run('node', [compiler, '-p', '.']).catch((error: { stdout: string }) => error.stdout);
    expect(output).toBe('');
  });
});
