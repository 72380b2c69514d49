// Long: installs the packed packages and the oldest supported Node, and opens browsers, because only this shows what
// users get.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { firstAd, type Programs } from '../../../tools/first-ad/first-ad.ts';
import { programsIn } from '../../../tools/first-ad/programs.ts';
import { chromiumReader, firefoxReader } from '../../../tools/first-ad/readers.ts';
import { launchChromium, launchFirefox } from '../../../tools/testing/browsers.ts';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { programEnvironment } from '../../../tools/testing/environment.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { CHROMIUM, FIREFOX } from '../../../tools/testing/programs.ts';
import { run } from '../../../tools/testing/run.ts';
import { nginx, startNginx } from './nginx.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** The oldest version of Node that the packages support, and the one that runs this test. */
const [OLDEST, CURRENT] = ['22.18.0', process.versions.node];
const project = temporaryFolder();
const bin = (name: string, file: string) => project.join(`node_modules/@broadsheet/${name}/dist/${file}`);
const nodeOf = (version: string) =>
  version === CURRENT ? process.execPath : project.join('node_modules/node/bin/node');

/** The figures after one reader has seen and clicked one ad. */
const ONE = { valid: 1, viewable: 1, clicks: 1 };

/** A server of these programs is reached through nginx with the files that we ship, at an address of this machine. */
const behindNginx = (programs: Programs, address: '127.0.0.1' | '[::1]', folder: string): Programs => ({
  ...programs,
  async serve() {
    const server = await programs.serve();
    const port = Number(new URL(server.url).port);
    const proxy = await startNginx(folder, [port, port, port]);
    const stop = async () => {
      await proxy.stop();
      await server.stop();
    };
    return { url: `http://${address}:${new URL(proxy.url).port}`, stop };
  },
});

/** README's program, with the server and the key of this test. */
function readmeProgram(url: string): string {
  const [, code = ''] =
    /```ts\n(import \{ createClient \}.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  return code.replace('https://blog.example', url);
}

describe('the packed packages, installed into an empty folder and started without a setting', () => {
  beforeAll(() => {
    const tarballs = readdirSync(join(ROOT, 'tarballs')).filter((file) => file.endsWith('.tgz'));
    expect(tarballs).toHaveLength(4);
    for (const file of tarballs) copyFileSync(join(ROOT, 'tarballs', file), project.join(file));
    writeFileSync(project.join('package.json'), JSON.stringify({ private: true, type: 'module' }));
    const packages = [...tarballs.map((file) => `./${file}`), `node@${OLDEST}`, 'msw'];
    run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], project.path);
  });

  type Server = { readonly url: string; readonly key: string };
  /** Runs README's program. */
  const useSdk = (node: string) => async (server: Server) => {
    writeFileSync(project.join('readme.ts'), readmeProgram(server.url));
    const env = { ...programEnvironment(), BLOG_KEY: server.key };
    const printed = run(node, ['readme.ts'], project.path, env);
    expect(printed).toMatch(/^Hello world\nNOT_FOUND req_[\w-]+ http/m);
  };
  /** Does the same with a key as users of the API do: README's program, and every case of the conformance suite. */
  const useApi = (node: string) => async (server: Server) => {
    await useSdk(node)(server);
    const parity = ['parity', server.url, '--api-key', server.key, '--clicks'];
    expect(run(node, [bin('mock-server', 'main.js'), ...parity], project.path)).toMatch(/\d/);
  };

  test.skipIf(!CHROMIUM).each([OLDEST, CURRENT])(
    'on Node %s, a publisher gets to an ad that its sponsor can check',
    async (version) => {
      const browser = await launchChromium();
      const folder = project.join(`publisher-${version}`);
      mkdirSync(folder);
      const node = nodeOf(version);
      const programs = programsIn(folder, [node, bin('server', 'main.js')]);
      try {
        const reader = chromiumReader(browser);
        expect(await firstAd({ folder, programs, reader, finish: useApi(node) })).toEqual(ONE);
      } finally {
        await browser.close();
      }
    },
  );

  test.skipIf(!CHROMIUM || !nginx).each(['127.0.0.1', '[::1]'] as const)(
    'behind the nginx files that we ship, a reader at %s is counted in the same way',
    async (address) => {
      const browser = await launchChromium();
      const folder = project.join(`publisher-nginx-${address.length}`);
      mkdirSync(folder);
      const program = [process.execPath, bin('server', 'main.js')];
      const programs = behindNginx(programsIn(folder, program, { TRUST_PROXY: '127.0.0.1' }), address, folder);
      try {
        const reader = chromiumReader(browser);
        expect(await firstAd({ folder, programs, reader, finish: useSdk(process.execPath) })).toEqual(ONE);
      } finally {
        await browser.close();
      }
    },
  );

  test.skipIf(!CHROMIUM || !inject('postgres'))('on PostgreSQL, a reader is counted in the same way', async () => {
    const browser = await launchChromium();
    const folder = project.join('publisher-postgres');
    mkdirSync(folder);
    const settings = { DATABASE_URL: await createPostgres('template0') };
    const programs = programsIn(folder, [process.execPath, bin('server', 'main.js')], settings);
    try {
      const reader = chromiumReader(browser);
      expect(await firstAd({ folder, programs, reader, finish: useApi(process.execPath) })).toEqual(ONE);
    } finally {
      await browser.close();
    }
  });

  test.skipIf(!FIREFOX)('a reader with Firefox is counted in the same way', async () => {
    const browser = await launchFirefox();
    const folder = project.join('publisher-firefox');
    mkdirSync(folder);
    try {
      const programs = programsIn(folder, [process.execPath, bin('server', 'main.js')]);
      expect(await firstAd({ folder, programs, reader: firefoxReader(browser) })).toEqual(ONE);
    } finally {
      await browser.close();
    }
  });
});
