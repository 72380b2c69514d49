import { afterEach, expect, test, vi } from 'vitest';
import { client, failureOf } from '../../test/support/client.ts';
import { json } from '../../test/support/responses.ts';
import { serve } from '../../test/support/serve.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

// The suite in test/runtimes reads with a cache mode in the real workerd.
test.each([
  ['Node.js/24', [undefined, 'max-age=0', 'no-cache']],
  ['Cloudflare-Workers', [undefined, undefined, undefined]],
])('in %s a cache mode reaches fetch unless the runtime rejects it, and an ad is never cached', async (name, sent) => {
  vi.stubGlobal('navigator', { userAgent: name });
  const server = await serve(({ url }, response) =>
    json(response, 200, url.includes('/ads/') ? { filled: false } : { success: true, data: [] }),
  );
  const blog = client(server.url);
  await blog.tags.list();
  await blog.tags.list({ fetchOptions: { cache: 'no-cache' } });
  await blog.ads.deliver('BANNER', { fetchOptions: { cache: 'force-cache' } });
  // Node's fetch adds these headers for the modes `no-cache` and `no-store`.
  expect(server.seen.map(({ headers }) => headers['cache-control'])).toEqual(sent);
});

const { posts } = client('https://blog.example');

test('headers, ids and bodies that cannot be sent are refused by name, without their values', async () => {
  expect(await failureOf(posts.get('\ud800'))).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(
      'posts.get: an id or slug contains a lone surrogate: pass it as the API returned it.',
    ),
  });
  expect(await failureOf(posts.get('..'))).toMatchObject({
    message: expect.stringContaining('which cannot be part of a path: pass it as the API returned it.'),
  });
  const error = await failureOf(posts.get('1', { headers: { 'x-site': 'a', 'x-note': 'se\ncret' } }));
  expect(error).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('posts.get: the header x-note cannot be sent: check its characters.'),
  });
  expect(String(error)).not.toContain('cret');
});
