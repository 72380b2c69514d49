import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleBlog } from '../data/sample-blog.ts';
import { createMock } from '../node.ts';
import type { Mock } from '../worlds/mock.ts';
import { type ParityOptions, type ParityReport, parity } from './parity.ts';
import { program } from './program.ts';

async function compare(mock: Mock, options: Partial<ParityOptions> = {}) {
  await using server = await mock.listen();
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const report = await parity({ url: server.url, apiKey: mock.main.apiKey, clicks: false, write, ...options });
  return { report, lines, text: lines.join('\n') };
}
const differing = ({ promises }: ParityReport) =>
  promises.filter(({ live, mock }) => live === 'fails' || mock === 'fails');

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
  mock.main.fail('ads.click', 500);
  const { report, text } = await compare(mock, { clicks: true });
  expect(report.differences).toBeGreaterThan(0);
  expect(text).toMatch(/ok {6}FAILS .*\n +.*500/);
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

test('a correct blog passes if its ids and slugs need encoding', async () => {
  const odd = ['%', '😀', 'a/b', '_', 'toString', "' OR 1=1"];
  const blog = sampleBlog('odd');
  const mock = createMock({
    main: {
      blog: {
        ...blog,
        categories: odd.map((id) => ({ id, name: id, description: '' })),
        tags: odd.map((id) => ({ id, name: id })),
        posts: (blog.posts ?? []).slice(0, 12).map((post, index) => {
          const id = odd[index % odd.length] ?? '';
          const slug = index < odd.length ? id : post.slug;
          return { ...post, id: index < odd.length ? id : (post.id ?? ''), slug, categoryIds: [id], tagIds: [id] };
        }),
      },
    },
  });
  const { report } = await compare(mock, { clicks: true });
  expect(differing(report)).toEqual([]);
});

test('a correct blog passes if its words are longer than a search query may be', async () => {
  const { posts = [], ...blog } = sampleBlog('long');
  const long = posts.map((post, index) => ({
    ...post,
    title: `${'Donaudampf'.repeat(60)}${index}`,
    content: 'x'.repeat(999),
  }));
  const { report } = await compare(createMock({ main: { blog: { ...blog, posts: long } } }));
  expect(differing(report)).toEqual([]);
});

test.each([
  ['its content names one', 'https://magazine.example/about', {}],
  ['--origin names one', 'nothing', { origin: 'https://magazine.example' }],
])('a correct blog with domains passes when %s', async (_, content, options) => {
  const { posts = [], ...blog } = sampleBlog('domains');
  const domains = ['magazine.example'];
  const mock = createMock({ main: { blog: { ...blog, domains, posts: posts.map((post) => ({ ...post, content })) } } });
  const { report } = await compare(mock, { clicks: true, ...options });
  expect(differing(report)).toEqual([]);
  const origins = report.promises.find(({ name }) => name.startsWith('a click is accepted from a domain'));
  expect(origins).toMatchObject({ live: 'ok' });
});

test('clicks stay unchecked if no page on the domains is known, and the output names --origin', async () => {
  const mock = createMock({ main: { blog: { ...sampleBlog('x'), domains: ['nowhere.example'] } } });
  const { report, text } = await compare(mock, { clicks: true });
  expect(differing(report)).toEqual([]);
  expect(text).toMatch(/\d+ not checked: the blog has domains, .* pass a page with --origin/);
});

test('the report for CI lists every promise', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-parity-'));
  try {
    const mock = createMock();
    mock.main.fail('tags.list', 500);
    await using server = await mock.listen();
    const json = join(folder, 'parity.json');
    const args = ['parity', server.url, '--api-key', mock.main.apiKey, '--json', json];
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
  await expect(against(server.url)).rejects.toThrow(/does not know the key; .*--api-key/);
  await expect(against('http://127.0.0.1:1')).rejects.toThrow(/nothing answers at http:\/\/127.0.0.1:1/);
  await expect(against('nowhere')).rejects.toThrow(/expected an absolute URL such as \S+, received nowhere/);
  const origin = 'magazine.example';
  await expect(against(server.url, { apiKey: mock.main.apiKey, origin })).rejects.toThrow(
    /--origin: expected an origin such as \S+, received magazine.example/,
  );
});

/** Serves a mock that passes its responses through a function, to act as another implementation of the API. */
async function serveOther(change: (response: Response, request: Request) => Promise<Response>) {
  const mock = createMock();
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const request = new Request(`${mock.baseUrl}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: new Headers(incoming.headers as Record<string, string>),
      ...(body.length > 0 && { body }),
    });
    const response = await change(await mock.fetch(request), request).catch(() => undefined);
    if (!response) return void incoming.socket.destroy();
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = async (options: Partial<ParityOptions> = {}) => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const report = await parity({ url, apiKey: mock.main.apiKey, clicks: false, write, ...options });
    return { report, text: lines.join('\n') };
  };
  return { run, [Symbol.asyncDispose]: async () => void server.close() };
}

const changed = async (response: Response, change: (body: never) => unknown): Promise<Response> => {
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const none = text === '' || [204, 304].includes(response.status);
  return new Response(none ? null : JSON.stringify(change(JSON.parse(text) as never)), {
    status: response.status,
    headers,
  });
};

test('with --allow extra-fields a server may send fields that the document does not have', async () => {
  const more = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(more)
      : typeof value === 'object' && value !== null
        ? { ...Object.fromEntries(Object.entries(value).map(([name, part]) => [name, more(part)])), extra: 1 }
        : value;
  await using other = await serveOther((response) => changed(response, more));
  expect((await other.run()).report.differences).toBeGreaterThan(0);
  const { report } = await other.run({ allowExtraFields: true });
  expect(differing(report)).toEqual([]);
});

test('with --api-md-only a server may differ where the document leaves a choice', async () => {
  type Body = { success: boolean; data: { id: string }[]; error: { code: string; requestId: string } };
  await using other = await serveOther(async (response, request) => {
    const answer = await changed(response, (body: Body) => {
      if (!body.success && body.error) {
        const open = !['UNAUTHORIZED', 'VALIDATION_ERROR'].includes(body.error.code);
        const requestId = body.error.requestId.toUpperCase().replace('REQ_', 'req_');
        return open ? { oops: true } : { ...body, error: { ...body.error, requestId } };
      }
      const list = /\/(categories|tags)$|\/(categories|tags)\/.*\/posts$/.test(new URL(request.url).pathname);
      return list ? { ...body, data: body.data.reverse() } : body;
    });
    for (const name of ['x-request-id', 'etag', 'access-control-allow-origin']) answer.headers.delete(name);
    return answer;
  });
  expect((await other.run()).report.differences).toBeGreaterThan(10);
  const { report, text } = await other.run({ apiMdOnly: true });
  expect(differing(report)).toEqual([]);
  expect(text).toMatch(/\d+ not checked: left open by the API document/);
});

test('known deviations are listed with their reasons, and fixed ones are reported', async () => {
  await using other = await serveOther(async (response) => {
    response.headers.delete('etag');
    return response;
  });
  const found = differing((await other.run()).report);
  expect(found.length).toBeGreaterThan(0);
  const known = [...found, { section: '4.1', name: 'limit goes from 1 to 100' }].map(({ section, name }) => {
    return { section, name, reason: 'no tags behind the CDN' };
  });
  const { report, text } = await other.run({ known });
  expect([report.differences, differing(report)]).toEqual([0, []]);
  expect(text).toMatch(/ok {6}known /);
  expect(text).toContain('no longer a known deviation: 4.1 limit goes from 1 to 100');
});

test('a known deviation that names no promise is refused', async () => {
  const reason = 'a typo';
  const known = [{ section: '4.1', name: 'limit goes from 1 to 99', reason }];
  await expect(compare(createMock(), { known })).rejects.toThrow(
    '--known: no promise is called 4.1 limit goes from 1 to 99; copy section and name from the output of --json',
  );
  await expect(compare(createMock(), { known: {} as [] })).rejects.toThrow(/--known: expected a JSON list of/);
});

test('a read is repeated after one lost connection, and a second loss is reported with its cause', async () => {
  let requests = 0;
  await using flaky = await serveOther(async (response) => {
    requests += 1;
    if (requests === 4) throw new Error('lost');
    return response;
  });
  expect(differing((await flaky.run()).report)).toEqual([]);
  await using broken = await serveOther(async (response, request) => {
    if (request.url.includes('/search')) throw new Error('lost');
    return response;
  });
  const found = differing((await broken.run()).report);
  expect(found.length).toBeGreaterThan(0);
  for (const { error } of found) expect(error).toMatch(/fetch failed: .*(other side closed|ECONNRESET|socket)/);
});
