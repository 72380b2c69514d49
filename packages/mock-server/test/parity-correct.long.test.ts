import { expect, test } from 'vitest';
import { sampleBlog } from '../src/data/sample-blog.ts';
import { createMock } from '../src/node.ts';
import { changed, compare, differing, serveOther } from './support/compare.ts';

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
