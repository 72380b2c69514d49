import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { blocksOf } from './support/compile.ts';
import { samplePost, samplePosts } from './support/samples.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('the first program of the README runs unchanged', async () => {
  const [program = ''] = blocksOf(await readFile(resolve(import.meta.dirname, '../README.md'), 'utf8'));
  expect(program).toContain("from '@broadsheet/sdk'");
  const requested: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    const { pathname, search, origin } = new URL(url);
    expect(new Headers(headers).get('x-api-key')).toBe('the-key');
    requested.push(`${origin}${pathname}${search}`);
    const data = pathname.includes('/slug/') ? samplePost('hello') : samplePosts(0, 7);
    return Response.json({ success: true, data });
  });
  vi.stubEnv('BLOG_KEY', 'the-key');
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await run('first', program);
  expect(requested[0]).toBe('https://blog.example/api/public/posts?offset=0&limit=20');
  expect(log.mock.calls.flat()).toEqual([...samplePosts(0, 7).map(({ title }) => title), samplePost('hello').content]);
});

test('the program of the README about schemas runs unchanged', async () => {
  const blocks = blocksOf(await readFile(resolve(import.meta.dirname, '../README.md'), 'utf8'));
  const program = blocks.find((code) => code.includes('@broadsheet/sdk/schemas')) ?? '';
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await run('schemas', program);
  expect(log.mock.calls[0]?.[0]).toEqual(expect.arrayContaining(['id', 'slug', 'publishedAt']));
});

/** Runs a program as a user's module, with the sources in place of the package. */
async function run(name: string, program: string): Promise<void> {
  const folder = resolve(import.meta.dirname, '../node_modules/.cache/readme');
  await mkdir(folder, { recursive: true });
  const file = resolve(folder, `${name}.ts`);
  const source = resolve(import.meta.dirname, '../src');
  const code = program
    .replace("'@broadsheet/sdk'", `'${source}/index.ts'`)
    .replace("'@broadsheet/sdk/schemas'", `'${source}/schemas.ts'`);
  await writeFile(file, code);
  await import(/* @vite-ignore */ `${pathToFileURL(file)}?${Date.now()}`);
}
