import { equal, holds, matches, present } from '../expect.ts';
import { send } from '../send.ts';
import { survey } from '../survey.ts';
import { section, type Target } from '../target.ts';

const decided = section({ section: 'decided' });
const seeded = section({ section: 'decided', needs: ['snapshot'] });
const LISTS = ['posts', 'posts?limit=1&offset=1', 'categories', 'tags', 'search?q=abc'];
const PATHS = LISTS.map((list) => `/public/${list}`);

/** The lists, and a post, a tag and their pages, if the blog has them. */
async function contentPaths(target: Target): Promise<readonly string[]> {
  const { posts, tags } = await survey(target);
  const [post, tag] = [posts[0], tags[0]];
  const ofPost = post ? [`posts/${encodeURIComponent(post.id)}`, `posts/slug/${encodeURIComponent(post.slug)}`] : [];
  const root = tag && `tags/${encodeURIComponent(tag.id)}`;
  return [...PATHS, ...[...ofPost, ...(root ? [root, `${root}/posts`] : [])].map((path) => `/public/${path}`)];
}

/** Validators and what caches may do with content. */
export const cachingCases = [
  decided('content carries a strong ETag, is private and varies by the key', async (target) => {
    for (const path of await contentPaths(target)) {
      const { headers } = await send(target, path);
      matches(headers.get('etag'), /^"[^"]+"$/, `${path}: ETag`);
      equal(headers.get('cache-control'), 'private, no-cache', `${path}: Cache-Control`);
      holds(/\bx-api-key\b/i.test(headers.get('vary') ?? ''), `${path}: Vary names X-API-Key`);
    }
  }),
  decided(
    'the ETag stays the same while the content does, and If-None-Match with it is 304 without a body',
    async (target) => {
      for (const path of await contentPaths(target)) {
        const etag = present((await send(target, path)).headers.get('etag'), `${path}: ETag`);
        for (const value of [etag, '*', `"other", ${etag}`, `W/${etag}`]) {
          for (const method of ['GET', 'HEAD']) {
            const response = await send(target, path, { method, headers: { 'If-None-Match': value } });
            equal([response.status, response.text], [304, ''], `${method} ${path} If-None-Match: ${value}`);
            equal(response.headers.get('etag'), etag, `${path}: ETag of the 304`);
            present(response.headers.get('x-request-id'), `${path}: X-Request-Id of the 304`);
            equal(response.headers.get('access-control-allow-origin'), '*', `${path}: CORS of the 304`);
          }
        }
        for (const other of ['"another"', etag.replace('"', '"x')]) {
          const again = await send(target, path, { headers: { 'If-None-Match': other } });
          equal([again.status, again.headers.get('etag')], [200, etag], `${path} If-None-Match: ${other}`);
        }
      }
    },
  ),
  decided('a failure is never 304', async (target) => {
    const headers = { 'If-None-Match': '*' };
    equal((await send(target, '/public/posts', { key: null, headers })).status, 401, 'without a key');
    equal((await send(target, '/public/posts/no-such-post-3b1f', { headers })).status, 404, 'an unknown post');
    equal((await send(target, '/public/posts?limit=0', { headers })).status, 400, 'a bad query');
  }),
  seeded('an ETag of one blog is not valid for another blog at the same URL', async (target) => {
    for (const path of [...PATHS, '/public/posts/post-01']) {
      const etag = present((await send(target, path)).headers.get('etag'), `${path}: ETag`);
      const key = present(target.otherKey, 'the key of the other blog');
      const other = await send(target, path, { key, headers: { 'If-None-Match': etag } });
      equal(other.status, 200, `${path}: status with the ETag of another blog`);
    }
  }),
];
