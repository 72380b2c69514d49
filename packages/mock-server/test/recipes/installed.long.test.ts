import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../../src/node.ts';
import { writeRecipes } from './blocks.ts';

// Runs the recipes with their tools in an empty project, in which it installs a few hundred packages.

const packages = resolve(import.meta.dirname, '../../..');

describe('the recipes of the guide', () => {
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
    const tarballs = ['mock-server', 'sdk'].map((name) => `${packages}/../tarballs/broadsheet-${name}-*.tgz`);
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
    await run('bash', ['-c', ['npm', 'install', ...how, ...tarballs, ...tools].join(' ')]);
    await writeRecipes(project);
  });

  afterAll(() => rm(project, { recursive: true, force: true }));

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
      await tasks.mock(['fail', 'posts.list', 500]);
      console.log(JSON.stringify([before, (await ask()).status]));`;
    await writeFile(join(project, 'drive.js'), program);
    expect(JSON.parse(await run('node', ['drive.js'], { MOCK_URL: server.url }))).toEqual([200, 500]);
  });

  test('the files for Cypress and Storybook compile with the types of their tools', async () => {
    const compilerOptions = {
      ...{ allowJs: true, checkJs: true, noEmit: true, strict: true, noImplicitAny: false, skipLibCheck: true },
      ...{ module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true, target: 'es2022' },
      lib: ['es2024', 'dom', 'dom.iterable', 'esnext.disposable'],
      types: ['cypress', 'node'],
      typeRoots: [join(packages, '../node_modules/@types'), join(project, 'node_modules')],
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
