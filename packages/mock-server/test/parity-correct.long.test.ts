import { expect, test } from 'vitest';
import { sampleBlog } from '../src/data/sample-blog.ts';
import { createMock } from '../src/node.ts';
import { type Change, changed, compare, differing, serveOther } from './support/compare.ts';
import { withHits } from './support/mutants/broken-server.ts';

test('a correct blog passes even if its ids and slugs need encoding', async () => {
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

test('a correct blog passes even if its words are longer than a search query may be', async () => {
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

test('with --api-md-only a server may differ where the document leaves a choice', async () => {
  type Body = { success: boolean; data: { id: string }[]; error: { code: string; requestId: string } };
  await using other = await serveOther(async (response, request) => {
    const altered = await changed(response, (body: Body) => {
      if (!body.success && body.error) {
        const open = !['UNAUTHORIZED', 'VALIDATION_ERROR'].includes(body.error.code);
        const requestId = body.error.requestId.toUpperCase().replace('REQ_', 'req_');
        return open ? { oops: true } : { ...body, error: { ...body.error, requestId } };
      }
      const list = /\/(categories|tags)$|\/(categories|tags)\/.*\/posts$/.test(new URL(request.url).pathname);
      return list ? { ...body, data: body.data.reverse() } : body;
    });
    for (const name of ['x-request-id', 'etag', 'access-control-allow-origin']) altered.headers.delete(name);
    return altered;
  });
  expect((await other.run()).report.differences).toBeGreaterThan(10);
  const { report, text } = await other.run({ apiMdOnly: true });
  expect(differing(report)).toEqual([]);
  expect(text).toMatch(/\d+ not checked: left open by the API document/);
});

interface Body {
  readonly success?: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}
type Item = Record<string, unknown>;
/** Changes the data of successes whose path matches. */
const data = (path: RegExp, change: (data: never) => unknown) => (response: Response, request: Request) =>
  changed(response, (body: Body) =>
    body.success && path.test(new URL(request.url).pathname) ? { ...body, data: change(body.data as never) } : body,
  );
const withoutField = (field: string, body: unknown) =>
  JSON.stringify(body, (name, value) => (name === field ? undefined : value));
const retimed = (text: string) => text.replaceAll(/(T\d\d:\d\d:\d\d)\.000Z/g, '$1Z');
const backwards = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).reverse())
    : value;
/** Searches for whole words, the oldest post first. */
const wholeWords: Change = async (response, request, send) => {
  const url = new URL(request.url);
  if (url.pathname !== '/public/search' || response.status !== 200 || request.method !== 'GET') return response;
  const [limit, offset] = [Number(url.searchParams.get('limit') ?? 10), Number(url.searchParams.get('offset') ?? 0)];
  url.searchParams.set('limit', '50');
  url.searchParams.set('offset', '0');
  const { data: all } = (await (await send(new Request(url, request))).json()) as { data: { data: Item[] } };
  const wordsOf = (text: unknown) =>
    String(text)
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u);
  const terms = wordsOf(url.searchParams.get('q')).filter((term) => term !== '');
  const data = all.data
    .filter(({ title, subtitle }) => terms.every((term) => wordsOf(`${title} ${subtitle}`).includes(term)))
    .reverse()
    .slice(offset, offset + limit);
  return changed(response, (body: Item) => withHits(body, data));
};
const without =
  (...names: string[]) =>
  async (response: Response) => {
    for (const name of names) response.headers.delete(name);
    return response;
  };

test.each<[string, Change, string?]>([
  [
    'timestamps have no milliseconds',
    (response) => changed(response, (body) => JSON.parse(retimed(JSON.stringify(body)))),
  ],
  [
    'lists of a category hold summaries',
    data(/\/(categories|tags)\/.+\/posts$/, (posts: Item[]) =>
      posts.map(({ id, title, slug, status, publishedAt }) => ({ publishedAt, status, slug, title, id })),
    ),
  ],
  [
    'an ad leaves out what it does not have',
    (response) =>
      changed(response, (body: Item | Item[]) =>
        [body].flat().some(({ clickToken }) => clickToken) ? JSON.parse(withoutField('linkText', body)) : body,
      ),
  ],
  [
    'messages are in another language, and the documentation is elsewhere',
    (response) =>
      changed(response, (body: Body) =>
        body.error
          ? {
              ...body,
              error: { ...body.error, message: 'Não', docs: `https://ajuda.example/errors/${body.error.code}` },
            }
          : body,
      ),
  ],
  [
    'responses have more headers and a charset',
    async (response) => {
      response.headers.set('server', 'nginx');
      const type = response.headers.get('content-type');
      if (type) response.headers.set('content-type', `${type}; charset=utf-8`);
      return response;
    },
  ],
  [
    'posts have one more field',
    data(/\/posts/, (posts: Item[] | Item) =>
      Array.isArray(posts) ? posts.map((post) => ({ ...post, readingTime: 3 })) : { ...posts, readingTime: 3 },
    ),
    '--allow extra-fields',
  ],
  ['content has no validators', without('etag', 'cache-control', 'vary'), '--api-md-only'],
  ['labels have another order', data(/\/(categories|tags)$/, (labels: Item[]) => labels.reverse()), '--api-md-only'],
  [
    'pages cannot read it from another site',
    without('access-control-allow-origin', 'access-control-max-age'),
    '--api-md-only',
  ],
  [
    'fields are in another order',
    (response) => changed(response, (body) => JSON.parse(JSON.stringify(body), backwards)),
  ],
  ['a search finds only whole words, and the oldest post first', wholeWords, '--api-md-only'],
  [
    'pages have at most ten posts, and the last page is the end',
    async (response, request, send) => {
      const url = new URL(request.url);
      const { page = '1', pageSize } = Object.fromEntries(url.searchParams);
      url.searchParams.set('page', '0');
      if (Number(pageSize) > 10) return send(new Request(url, request));
      const { data } = (await response.clone().json()) as Body;
      const isPastEnd = Number(page) > 1 && Array.isArray(data) && data.length === 0;
      return isPastEnd ? Response.json({ error: 'There is no such page.' }, { status: 404 }) : response;
    },
    '--api-md-only',
  ],
])('a correct but different server passes, or the output names the flag: %s', async (_, change, flag) => {
  await using other = await serveOther(change);
  const { report, text } = await other.run({ clicks: true });
  if (flag === undefined) expect(differing(report)).toEqual([]);
  else expect(text).toContain(`${report.differences} of them pass with ${flag}`);
});
