import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changed, compare, differing, serveOther } from '../../test/support/compare.ts';
import { sampleBlog } from '../data/sample-blog.ts';
import { createMock } from '../node.ts';
import { type ParityOptions, type ParityReport, parity } from './parity.ts';
import { program } from './program.ts';

/** The path of a tag, which few promises concern. */
const ONE_TAG = /\/tags\/[^/]+$/;
/** Fewer promises, where the number of promises does not matter. */
const FEW = { apiMdOnly: true };

test('a server that keeps its promises has no differences, and reading does not count impressions', async () => {
  const mock = createMock();
  const { report, lines } = await compare(mock);
  expect(differing(report)).toEqual([]);
  expect(lines.at(-1)).toMatch(/^\d\d+ promises, 0 differences$/);
  for (const { id = '' } of mock.main.blog.ads ?? []) {
    expect(mock.main.ad(id)).toEqual({ impressions: 0, viewable: 0, clicks: 0 });
  }
});

test('with --clicks it also counts; a broken promise is printed with its reason', async () => {
  const mock = createMock();
  mock.main.fail('ads.impression', 500);
  const { report, text } = await compare(mock, { clicks: true });
  expect(report.differences).toBeGreaterThan(0);
  expect(text).toMatch(/ok {6}FAILS .*\n +.*500/);
  expect(text).not.toContain('--allow extra-fields');
});

test('unchecked promises are listed below the reason', async () => {
  const mock = createMock({ main: { blog: { ...sampleBlog('bare'), tags: [], posts: [] } } });
  const { report, text } = await compare(mock);
  expect(differing(report)).toEqual([]);
  expect(text).toMatch(/\d+ not checked: records impressions and clicks; run it with --clicks\n {2}4\.5 {6}\S/);
  expect(text).toMatch(/\d+ not checked: the blog has no posts\n {2}4\.1 {6}batches of any size/);
  expect(text).toMatch(/\d+ not checked: the blog has no tags\n/);
  expect(text).toContain('not checked: needs the two blogs of the conformance suite on the server');
  expect(report.promises.filter(({ live }) => live === 'unchecked')).toHaveLength(report.unchecked);
});

test('the report for CI lists every promise', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-parity-'));
  try {
    const mock = createMock();
    mock.main.fail('tags.list', 500);
    await using server = await mock.listen();
    const json = join(folder, 'parity.json');
    const args = ['parity', server.url, '--api-key', mock.main.apiKey, '--json', json, '--api-md-only'];
    await program(() => undefined).parseAsync(args, { from: 'user' });
    expect(process.exitCode).toBe(1);
    process.exitCode = 0;
    const report = JSON.parse(await readFile(json, 'utf8')) as ParityReport;
    expect(report.differences).toBeGreaterThan(0);
    expect(report.promises.filter(({ live }) => live === 'fails')).toHaveLength(report.differences);
    expect(report.promises.filter(({ live }) => live === 'unchecked')).toHaveLength(report.unchecked);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an unusable URL, key or origin is refused with one error', async () => {
  const mock = createMock();
  await using server = await mock.listen();
  const against = (url: string, options: Partial<ParityOptions> = {}) =>
    parity({ url, apiKey: 'nobody', clicks: false, write: () => undefined, ...options });
  await expect(against(server.url)).rejects.toThrow(/does not accept the key; .*--api-key/);
  await expect(against('http://127.0.0.1:1')).rejects.toThrow(/nothing responds at http:\/\/127.0.0.1:1/);
  await expect(against('nowhere')).rejects.toThrow(/expected an absolute URL such as \S+, received nowhere/);
  const origin = 'magazine.example';
  await expect(against(server.url, { apiKey: mock.main.apiKey, origin })).rejects.toThrow(
    /--origin: expected an origin such as \S+, received magazine.example/,
  );
});

test('with --allow extra-fields a server may send fields that the document does not have', async () => {
  const more = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(more)
      : typeof value === 'object' && value !== null
        ? { ...Object.fromEntries(Object.entries(value).map(([name, part]) => [name, more(part)])), extra: 1 }
        : value;
  await using other = await serveOther(async (response, { url }) =>
    ONE_TAG.test(new URL(url).pathname) ? changed(response, more) : response,
  );
  const strict = await other.run(FEW);
  expect(strict.report.differences).toBeGreaterThan(0);
  expect(strict.text).toMatch(new RegExp(`\n${strict.report.differences} of them pass with --allow extra-fields$`));
  const { report } = await other.run({ ...FEW, allowExtraFields: true });
  expect(differing(report)).toEqual([]);
});

test('known deviations are listed with their reasons, and entries that do not deviate are reported', async () => {
  await using other = await serveOther(async (response) => {
    response.headers.delete('etag');
    return response;
  });
  const strict = await other.run();
  const found = differing(strict.report);
  expect(found.length).toBeGreaterThan(0);
  expect(strict.text).toMatch(new RegExp(`\n${found.length} of them pass with --api-md-only$`));
  const others = ['limit goes from 1 to 100', 'a typo'].map((name) => ({ section: '4.1', name }));
  const known = [...found, ...others].map(({ section, name }) => {
    return { section, name, reason: 'no tags behind the CDN' };
  });
  const { report, text } = await other.run({ known });
  expect([report.differences, differing(report)]).toEqual([0, []]);
  expect(text).toMatch(/ok {6}known /);
  expect(text).toContain('\nnot a deviation: 4.1 limit goes from 1 to 100\nnot a deviation: 4.1 a typo\n');
});

test('a read is repeated after one lost connection, and a second loss is reported with its cause', async () => {
  let requests = 0;
  await using flaky = await serveOther(async (response) => {
    requests += 1;
    if (requests === 4) throw new Error('lost');
    return response;
  });
  expect(differing((await flaky.run(FEW)).report)).toEqual([]);
  await using broken = await serveOther(async (response, request) => {
    if (ONE_TAG.test(new URL(request.url).pathname)) throw new Error('lost');
    return response;
  });
  const found = differing((await broken.run(FEW)).report);
  expect(found.length).toBeGreaterThan(0);
  for (const { error } of found) expect(error).toMatch(/fetch failed: .*(other side closed|ECONNRESET|socket)/);
});
