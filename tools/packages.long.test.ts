import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from './testing/folder.ts';
import { run as runIn } from './testing/run.ts';
import { fetchAlone, runBundle } from './testing/workerd.ts';

// Tests the packages that users install, as `pnpm tarballs` has packed them, in an empty project outside this
// workspace.

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = ['sdk', 'ad-widget', 'mock-server', 'server'];
const project = mkdtempSync(join(tmpdir(), 'broadsheet-packed-'));
const run = (command: string, args: readonly string[], cwd = project, env = {}) => runIn(command, args, cwd, env);

describe('the packed packages', () => {
  beforeAll(() => {
    cpSync(join(root, 'tarballs'), project, { recursive: true });
    const tarballs = readdirSync(project).filter((file) => file.endsWith('.tgz'));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
    // The declarations of the mock refer to MSW, which users install themselves.
    const { peerDependencies } = JSON.parse(readFileSync(join(root, 'packages/mock-server/package.json'), 'utf8'));
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'packages/ad-widget/package.json'), 'utf8'));
    const frameworks = ['react', '@types/react', 'vue'].map((name) => `${name}@${devDependencies[name]}`);
    const sdk = JSON.parse(readFileSync(join(root, 'packages/sdk/package.json'), 'utf8'));
    // Optional peers are installed by users of the entries that need them.
    const peers = Object.entries(sdk.peerDependencies).map(([name, range]) => `${name}@${range}`);
    const others = [...peers, `msw@${peerDependencies.msw}`, ...frameworks];
    const installed = [...tarballs.map((file) => `./${file}`), ...others];
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...installed]);
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  test.each(packages)('%s passes publint without a message', async (name) => {
    const pkgDir = join(root, 'packages', name);
    const { messages } = await publint({ pkgDir, strict: true });
    const manifest = JSON.parse(readFileSync(join(pkgDir, 'package.json'), 'utf8'));
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  test.each(packages)('%s has types under every resolution that attw checks', (name) => {
    const tarball = readdirSync(project).find((file) => file.startsWith(`broadsheet-${name}-`)) ?? '';
    // The SDK supports every resolution. The others are ES modules only, which `require` of Node can load.
    const esm = name === 'sdk' ? [] : ['--profile', 'esm-only'];
    const untyped = name === 'ad-widget' ? ['--exclude-entrypoints', 'broadsheet.js', 'broadsheet.css'] : [];
    run(join(root, 'node_modules/.bin/attw'), [join(project, tarball), ...esm, ...untyped]);
  });

  test.each(packages)('%s does not import a private package in its published files', (name) => {
    const dist = join(project, 'node_modules', '@broadsheet', name, 'dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(c?js|d\.c?ts)$/.test(file),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const text = readFileSync(join(dist, file), 'utf8');
      // Including subpaths: the declarations of `@broadsheet/sdk/schemas` once imported `@broadsheet/contract/schemas`.
      expect(text, file).not.toMatch(/(from|require\(|import\(?)\s*['"]@broadsheet\/(contract|core|conformance)\b/);
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

  /** The errors of the compiler in some files of the project; an empty string without errors. */
  const complaints = (files: string[], resolution: string): string => {
    const compilerOptions = {
      noEmit: true,
      strict: true,
      lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'],
      module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
      moduleResolution: resolution,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    return spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { cwd: project, encoding: 'utf8' }).stdout;
  };

  /** Every entry point of the packages with declarations, by the specifier that imports it. */
  const entries = (): string[] =>
    packages.flatMap((name) => {
      const installed = join(project, 'node_modules/@broadsheet', name, 'package.json');
      const { exports } = JSON.parse(readFileSync(installed, 'utf8')) as { exports: Record<string, unknown> };
      const typed = Object.entries(exports).filter(([, target]) => JSON.stringify(target).includes('"types"'));
      return typed.map(([door]) => `@broadsheet/${name}${door.slice(1)}`);
    });

  describe('in an empty project', () => {
    test('the SDK and the mock work together as ES modules', () => {
      const program = `import { createClient } from '@broadsheet/sdk';\nimport { createMock } from '@broadsheet/mock-server';\n${conversation}`;
      writeFileSync(join(project, 'a.mjs'), program);
      expect(JSON.parse(run('node', ['a.mjs']))).toEqual({ titles: 3, filled: true });
    });

    test('the SDK and the mock work together as CommonJS', () => {
      const program = `const { createClient } = require('@broadsheet/sdk');\nconst { createMock } = require('@broadsheet/mock-server');\n${conversation}`;
      writeFileSync(join(project, 'b.cjs'), program);
      expect(JSON.parse(run('node', ['b.cjs']))).toEqual({ titles: 3, filled: true });
    });

    test.each(['mjs', 'cjs'])('the adapters of the SDK work in a program of %s', (extension) => {
      const names = {
        '@broadsheet/sdk': 'createClient',
        '@broadsheet/sdk/ky': 'kyFetch',
        '@broadsheet/sdk/query': 'blogQueries',
        '@broadsheet/sdk/otel': 'tracing',
        '@broadsheet/sdk/webhooks': 'unwrap',
        '@broadsheet/mock-server': 'createMock',
      };
      const imports = Object.entries(names).map(([module, name]) =>
        extension === 'mjs' ? `import { ${name} } from '${module}';` : `const { ${name} } = require('${module}');`,
      );
      const program = `${imports.join('\n')}
      const mock = createMock();
      import('ky').then(async ({ default: ky }) => {
        const fetch = kyFetch(ky.create({ fetch: mock.fetch }));
        const blog = createClient({ ...mock.connection, fetch, middleware: [tracing()] });
        const { queryFn } = blogQueries(blog).posts.list({ limit: 2 });
        const { items } = await queryFn({ signal: new AbortController().signal });
        console.log(items.length);
      });`;
      writeFileSync(join(project, `adapters.${extension}`), program);
      expect(run('node', [`adapters.${extension}`]).trim()).toBe('2');
    });

    test.each(['nodenext', 'bundler'])('types resolve under %s', (resolution) => {
      writeFileSync(
        join(project, 'types.ts'),
        `import { createClient } from '@broadsheet/sdk';
       import { blogQueries } from '@broadsheet/sdk/query';
       import { tracing } from '@broadsheet/sdk/otel';
       import { createMock } from '@broadsheet/mock-server';
       import { createAds } from '@broadsheet/ad-widget';
       import { createServer, openStore } from '@broadsheet/server';
       const mock = createMock();
       const blog = createClient({ ...mock.connection, fetch: mock.fetch, middleware: [tracing()] });
       export const queries = blogQueries(blog);
       export async function first(): Promise<string | undefined> {
         const { items } = await blog.posts.list({ limit: 1 });
         return items[0]?.title;
       }
       export const ads: typeof createAds = createAds;
       export const serve = async (): Promise<string> => (await createServer({ store: await openStore('sqlite::memory:') })).url;`,
      );
      expect(complaints(['types.ts'], resolution)).toBe('');
    });

    // Without `skipLibCheck`, which hides an error in a declaration until somebody uses it.
    test.each(['nodenext', 'bundler'])('the declarations of every entry compile under %s', (resolution) => {
      const all = entries();
      expect(all).toContain('@broadsheet/sdk/schemas');
      const code = all.map((entry, index) => `import * as entry${index} from '${entry}';\nvoid entry${index};`);
      writeFileSync(join(project, 'entries.mts'), code.join('\n'));
      const ofTheSdk = all.filter((entry) => entry.startsWith('@broadsheet/sdk'));
      const required = ofTheSdk.map(
        (entry, index) => `import entry${index} = require('${entry}');\nvoid entry${index};`,
      );
      writeFileSync(join(project, 'entries.cts'), resolution === 'nodenext' ? required.join('\n') : 'export {};');
      // Errors in the declarations of other packages are ignored.
      const ours = complaints(['entries.mts', 'entries.cts'], resolution)
        .split('\n')
        .filter((line) => line.startsWith('entries.') || line.includes('node_modules/@broadsheet/'));
      expect(ours).toEqual([]);
    });

    test('the mock responds over HTTP', async () => {
      // Not through npx, which would leave the mock running when it is stopped.
      const command = join(project, 'node_modules/.bin/broadsheet-mock');
      const mock = spawn(process.execPath, [command, '--port', '0', '--api-key', 'key'], { cwd: project });
      try {
        const [said] = await once(mock.stdout, 'data');
        const response = await fetch(`${String(said).split(' ')[0]}/public/posts`, { headers: { 'X-API-Key': 'key' } });
        expect((await response.json()).data).toHaveLength(10);
      } finally {
        mock.kill();
      }
    });

    test('the server contains the panel', () => {
      const program = `import { createServer, openStore } from '@broadsheet/server';
        const store = await openStore('sqlite::memory:');
        await store.invitePerson({ name: 'Ada', role: 'manage', blogId: null }, 'link', Date.now());
        const server = await createServer({ store, port: 0 });
        const read = async (path) => (await fetch(server.url + path)).text();
        console.log(JSON.stringify([await read('/panel/sign-in?token=link'), await read('/panel/assets/panel.css')]));
        await server.close();
        await store.close();`;
      writeFileSync(join(project, 'panel.mjs'), program);
      const [page, style] = JSON.parse(run('node', ['panel.mjs'])) as string[];
      expect(page).toContain('Welcome, Ada');
      expect(style).toContain('--paper');
    });

    test('the server contains the documentation, with the playground, the reference and the texts for assistants', async () => {
      const command = join(project, 'node_modules/.bin/broadsheet');
      const server = spawn(process.execPath, [command, 'serve', '--port', '0', '--database', 'sqlite:docs.db'], {
        cwd: project,
      });
      try {
        const [said] = await once(server.stdout, 'data');
        const url = String(said).match(/http:\S+/)?.[0];
        const paths = ['docs/', 'docs/playground', 'docs/reference', 'docs/guides/nextjs', 'llms.txt', 'llms-full.txt'];
        const statuses = await Promise.all(paths.map(async (path) => [path, (await fetch(`${url}/${path}`)).status]));
        expect(statuses).toEqual(paths.map((path) => [path, 200]));
      } finally {
        server.kill();
      }
    });

    test('the server keeps running when an update removes its files', async () => {
      const command = join(project, 'node_modules/@broadsheet/server/dist/main.js');
      const database = ['--database', `sqlite:${temporaryFolder().join('gone.db')}`];
      run('node', [command, 'blogs', 'create', 'news', ...database]);
      run('node', [command, 'panel', 'invite', 'Ada', ...database]);
      const env = { ...process.env, NODE_OPTIONS: '', LOG_LEVEL: 'debug' };
      const server = spawn(process.execPath, [command, 'serve', '--port', '0', ...database], { cwd: project, env });
      const [modules, gone] = [join(project, 'node_modules'), join(project, 'gone')];
      try {
        const [said] = await once(server.stdout, 'data');
        for await (const line of createInterface(server.stderr)) if (line.includes('the pages are loaded')) break;
        renameSync(modules, gone);
        const url = String(said).match(/http:\S+/)?.[0];
        // The panel runs in a thread, which loads its files on first use.
        const expected = {
          healthz: 200,
          metrics: 200,
          'openapi.json': 200,
          'broadsheet.js': 200,
          'panel/sign-in': 503,
        };
        const statuses: Record<string, number> = {};
        for (const path of Object.keys(expected)) statuses[path] = (await fetch(`${url}/${path}`)).status;
        expect(statuses).toEqual(expected);
      } finally {
        if (!existsSync(modules)) renameSync(gone, modules);
        server.kill();
      }
    });

    test('the packed Worker runs, and its configuration is included', async () => {
      const dist = join(project, 'node_modules/@broadsheet/server/dist');
      const worker = await runBundle(readFileSync(join(dist, 'workers.js'), 'utf8'));
      try {
        const response = await fetchAlone(new Request(`${worker.url}/public/posts`));
        expect(await response.json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
      } finally {
        await worker.stop();
      }
      expect(readdirSync(join(dist, 'deploy/workers')).sort()).toEqual([
        'README.md',
        'local-token.mjs',
        'package.json',
        'src',
        'wrangler.jsonc',
      ]);
    });

    test('the commands start', () => {
      expect(run('npx', ['broadsheet', '--help'])).toContain('serve');
      expect(run('npx', ['broadsheet-mock', '--help'])).toContain('parity');
    });
  });
});
