import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type CallEvent,
  type CallOptions,
  type ClientOptions,
  type Drift,
  memoryCache,
  ResponseError,
  tagsOf,
  type ValidateMode,
} from '../src/index.ts';
import { client, failureOf } from './support/client.ts';
import { json } from './support/responses.ts';
import { samplePost, samplePosts } from './support/samples.ts';
import { serve } from './support/serve.ts';

const drifted = () =>
  serve((_, response) => {
    const data = samplePosts(0, 3).map((post) => ({ ...post, authorId: 7, mood: 'new', status: 'ARCHIVED' }));
    json(response, 200, { success: true, data });
  });

test('report: the call succeeds, and each kind of difference is reported once', async () => {
  const server = await drifted();
  const drifts: Drift[] = [];
  const blog = client(server.url, { onDrift: (drift) => drifts.push(drift) });
  expect((await blog.posts.list()).items).toHaveLength(3);
  await blog.posts.list();
  expect(drifts).toEqual([
    { endpoint: 'posts.list', path: '*.authorId', expected: 'string', received: 'number', requestId: 'req_1' },
  ]);
});

test('strict throws an error with the path; off compares nothing', async () => {
  const server = await drifted();
  const error = await failureOf(client(server.url, { validate: 'strict' }).posts.list());
  expect(error).toBeInstanceOf(ResponseError);
  expect(error).toMatchObject({ code: 'RESPONSE_MISMATCH', requestId: 'req_1' });
  expect(String(error)).toContain('0.authorId: expected string, received number');
  const drifts: unknown[] = [];
  await client(server.url, { validate: 'off', onDrift: (drift) => drifts.push(drift) }).posts.list();
  expect(drifts).toEqual([]);
});

test('without a hook and a logger each kind of difference is one line in the console', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => void warned.mockRestore());
  const named = await serve((_, response, nth) => {
    const data = samplePosts(0, 2).map((post) => ({ ...post, authorId: 7, slug: null }));
    json(response, 200, { success: true, data }, nth > 0 ? {} : { 'x-request-id': 'req_1' });
  });
  const blog = client(named.url, { onDrift: undefined });
  await blog.posts.list();
  await blog.posts.list();
  expect(warned.mock.calls).toEqual([
    ['Broadsheet: posts.list: *.slug: expected string, received null (request req_1).'],
    ['Broadsheet: posts.list: *.authorId: expected string, received number (request req_1).'],
  ]);
  const nameless = async (): Promise<Response> =>
    Response.json({ success: true, data: samplePost('1', { title: 7 as never }) });
  await client('https://blog.example', { onDrift: undefined, fetch: nameless }).posts.get('1');
  expect(warned.mock.lastCall).toEqual([
    'Broadsheet: posts.get: title: expected string, received number (request without id).',
  ]);
});

test('the pagination of a list is compared too, unless validate is off', async () => {
  const server = await serve((_, response) =>
    json(response, 200, { success: true, data: samplePosts(0, 2), meta: { pagination: { page: '1' } } }),
  );
  const paths: string[] = [];
  const onDrift = ({ path }: Drift): void => void paths.push(path);
  const read = (validate: ValidateMode) => client(server.url, { validate, onDrift }).tags.posts('t');
  expect((await read('report')).items).toHaveLength(2);
  const missing = ['pageSize', 'total', 'totalPages', 'hasNextPage', 'hasPrevPage'];
  expect(paths).toEqual(['page', ...missing].map((name) => `meta.pagination.${name}`));
  expect(String(await failureOf(read('strict')))).toContain(
    'meta.pagination.page: expected positive integer, received string',
  );
  expect((await read('off')).items).toHaveLength(2);
  expect(paths).toHaveLength(6);
});

test('off ignores differences, but not an item of another type', async () => {
  const server = await serve(({ url }, response) => {
    const items = [{ ...samplePost('1'), title: 7 }, null];
    json(response, 200, { success: true, data: url.startsWith('/public/search') ? { data: items, meta: {} } : items });
  });
  const drifts: Drift[] = [];
  const blog = client(server.url, { validate: 'off', onDrift: (drift) => drifts.push(drift) });
  expect(String(await failureOf(blog.posts.list()))).toContain('posts.list: 1: expected object, received null');
  expect(String(await failureOf(blog.search('abc')))).toContain('search: data.1: expected object, received null');
  expect(drifts).toEqual([]);
});

test('a response of a completely different type throws in every mode', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true, data: { posts: 1 } }));
  for (const validate of ['report', 'strict', 'off'] as const) {
    expect(await failureOf(client(server.url, { validate }).posts.list())).toMatchObject({
      code: 'RESPONSE_MISMATCH',
      message: expect.stringContaining('posts.list: the response: expected array, received object'),
    });
  }
});

test.each(['report', 'strict', 'off'] as const)(
  'an item that is not an object throws in the mode %s',
  async (validate) => {
    const server = await serve(({ url }, response) => {
      if (url.startsWith('/public/search'))
        return json(response, 200, { success: true, data: { data: [7], meta: {} } });
      json(response, 200, url.includes('/ads/') ? [null] : { success: true, data: [null] });
    });
    const blog = client(server.url, { validate });
    const slots = [{ slotId: 'top', format: 'BANNER' as const }];
    for (const [call, where] of [
      [() => blog.posts.list(), '0: expected object, received null'],
      [() => blog.posts.list().collect(), '0: expected object, received null'],
      [() => blog.search('abc'), 'data.0: expected object, received number'],
      [() => blog.tags.list(), '0: expected object, received null'],
      [() => blog.ads.deliverBatch(slots), '0: expected object, received null'],
    ] as const) {
      const error = await failureOf(call());
      expect(error).toMatchObject({ name: 'ResponseError', code: 'RESPONSE_MISMATCH', status: 200 });
      expect(String(error)).toContain(where);
    }
  },
);

test('items without an id are not duplicates', async () => {
  const server = await serve((_, response) => {
    const data = samplePosts(0, 3).map(({ id: _id, ...rest }) => rest);
    json(response, 200, { success: true, data });
  });
  expect(await client(server.url).posts.list().collect()).toHaveLength(3);
});

test('identical reads in flight share one request; a later read sends its own', async () => {
  const server = await serve((_, response) => json(response, 200, { success: true, data: samplePost('1') }));
  const blog = client(server.url);
  const [a, b] = await Promise.all([blog.posts.get('1'), blog.posts.get('1')]);
  expect(a).toEqual(b);
  expect(a).not.toBe(b);
  expect(server.seen).toHaveLength(1);
  await blog.posts.get('1');
  expect(server.seen).toHaveLength(2);
});

test('a read with its own headers or fetch options is sent separately and bypasses the cache', async () => {
  const server = await serve(({ headers }, response) =>
    json(response, 200, { success: true, data: samplePost('1', { title: String(headers['x-language']) }) }),
  );
  const blog = client(server.url, { cache: memoryCache({ fresh: 60_000 }) });
  const read = async (options: CallOptions) => (await blog.posts.get('1', options)).title;
  const german = { headers: { 'x-language': 'de' } };
  const uncached = { fetchOptions: { cache: 'no-store' } } as const;
  expect(await Promise.all([read({}), read(german), read({}), read(uncached)])).toEqual([
    'undefined',
    'de',
    'undefined',
    'undefined',
  ]);
  expect(server.seen).toHaveLength(3);
  expect(await Promise.all([read({}), read(german)])).toEqual(['undefined', 'de']);
  expect(server.seen).toHaveLength(4);
});

/** Reads whose responses the test sends explicitly. */
function held() {
  const requests: { readonly respond: (response: Response) => void; readonly signal: AbortSignal }[] = [];
  const fetch = (_: string, { signal }: RequestInit): Promise<Response> =>
    new Promise((respond, reject) => {
      requests.push({ respond, signal: signal as AbortSignal });
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  return { requests, fetch };
}

describe.each([
  ['without a cache', undefined],
  ['with a cache', memoryCache],
])('reads that share a request, %s', (_, createCache) => {
  const open = (options: ClientOptions) =>
    client('https://blog.example', { ...options, ...(createCache && { cache: createCache() }) });

  test('a shared read continues when the caller that started it aborts', async () => {
    const { requests, fetch } = held();
    const blog = open({ fetch, timeout: false });
    const leave = new AbortController();
    const first = failureOf(blog.posts.get('1', { signal: leave.signal }));
    const second = blog.posts.get('1');
    leave.abort();
    expect(await first).toMatchObject({ code: 'ABORTED' });
    requests[0]?.respond(Response.json({ success: true, data: samplePost('1') }));
    expect((await second).id).toBe('1');
    expect(requests).toHaveLength(1);
  });

  test('the request is aborted when no caller waits for it', async () => {
    const { requests, fetch } = held();
    const blog = open({ fetch, timeout: false });
    const leaves = [new AbortController(), new AbortController()];
    const calls = leaves.map(({ signal }) => failureOf(blog.posts.get('1', { signal })));
    leaves[0]?.abort();
    await calls[0];
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false]);
    leaves[1]?.abort();
    await calls[1];
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  test('each call has its own byte limit', async () => {
    const server = await serve((_, response) => json(response, 200, { success: true, data: samplePost('1') }));
    const cache = createCache?.();
    const blog = client(server.url, cache ? { cache } : {});
    const [small, large] = await Promise.all([
      blog.posts.get('1', { maxBodyBytes: 10, retry: 0 }).safe(),
      blog.posts.get('1').safe(),
    ]);
    expect(small).toMatchObject({ ok: false, error: { code: 'RESPONSE_TOO_LARGE' } });
    expect(large.ok).toBe(true);
  });
});

test('a read that joins another keeps its own timeout', async () => {
  let sent = 0;
  const fetch = (): Promise<Response> => {
    sent++;
    return new Promise(() => {});
  };
  const leave = new AbortController();
  const blog = client('https://blog.example', { fetch, timeout: false });
  const first = failureOf(blog.posts.get('1', { signal: leave.signal }));
  expect(await failureOf(blog.posts.get('1', { timeout: 20, retry: 0 }))).toMatchObject({ code: 'TIMEOUT' });
  expect(sent).toBe(1);
  leave.abort();
  expect(await first).toMatchObject({ code: 'ABORTED' });
});

test('options of fetch and the tags of Next.js reach fetch', async () => {
  const inits: unknown[] = [];
  const blog = client('https://blog.example', {
    nextTags: true,
    fetchOptions: { next: { revalidate: 60, tags: ['own'] } },
    fetch: async (_, init) => {
      inits.push((init as { next?: unknown }).next);
      return Response.json({ success: true, data: samplePost('1') });
    },
  });
  await blog.posts.get('1');
  await blog.with({ nextTags: false }).posts.get('1');
  expect(inits).toEqual([
    { revalidate: 60, tags: ['own', 'posts', 'post:1'] },
    { revalidate: 60, tags: ['own'] },
  ]);
  expect(tagsOf('categories.posts', { id: 'c' })).toEqual(['posts', 'category:c', 'category:c:posts']);
  expect(tagsOf('ads.deliver')).toEqual([]);
});

test('a call with its own fetch and hooks does not share a request', async () => {
  const urls: string[] = [];
  const own = async (url: string): Promise<Response> => {
    urls.push(url);
    return Response.json({ success: true, data: { ...samplePost('1'), title: 7 } });
  };
  const blog = client('https://blog.example', { fetch: () => Promise.reject(new Error('not this one')) });
  const drifts: Drift[] = [];
  const kinds: string[] = [];
  const options = {
    fetch: own,
    onDrift: (drift: Drift) => drifts.push(drift),
    onEvent: ({ kind }: CallEvent) => kinds.push(kind),
  };
  await Promise.all([blog.posts.get('1', options), blog.posts.get('1', options)]);
  expect(urls).toEqual(['https://blog.example/public/posts/1', 'https://blog.example/public/posts/1']);
  expect(drifts.map(({ path }) => path)).toEqual(['title']);
  expect(kinds.toSorted()).toEqual(['request', 'request', 'response', 'response']);
});
