import { equal, holds } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { json, send } from '../send.ts';
import { survey } from '../survey.ts';
import { section } from '../target.ts';

const promised = section({ section: '7' });
const decided = section({ section: 'decided' });

/** Section 7: the error envelope. */
export const errorCases = [
  promised('every response has a new request id', async (target) => {
    const refused = await Promise.all(
      [1, 2].flatMap(() => [send(target, '/public/posts', { key: null }), send(target, '/public/search')]),
    );
    const read = target.documentOnly ? [] : await Promise.all([1, 2].map(() => send(target, '/public/tags')));
    const found = [
      ...refused.map((response) => (json(response) as { error: { requestId: string } }).error.requestId),
      ...read.map(({ headers }) => headers.get('x-request-id')),
    ];
    equal(new Set(found).size, found.length, 'number of different request ids');
  }),
  promised('the docs link starts with docs_url', async (target) => {
    const { docsUrl } = target;
    const response = await send(target, '/public/posts', { key: null });
    const body = json(response) as { error: { docs: string } };
    const { error } = body;
    if (docsUrl !== undefined) equal(error.docs, `${docsUrl}/errors/UNAUTHORIZED`, 'error.docs');
    else holds(URL.canParse(error.docs) || error.docs.startsWith('/'), 'error.docs is a link');
    const other = json(await send(target, '/public/search')) as typeof body;
    equal(other.error.docs, error.docs.replace('UNAUTHORIZED', 'VALIDATION_ERROR'), 'error.docs of another error');
  }),
  decided('a path that is not an endpoint is 404, with a code of its own', async (target) => {
    const near = ['/public/posts/', '/public', '/public/nothing', '/public/posts/slug/a/b', '/PUBLIC/posts'];
    for (const path of [...near, '/public/Posts', '/public/posts/a/b', '/public/categories/a/tags', '/public/ads']) {
      failure(await send(target, path), 'NO_SUCH_ENDPOINT');
    }
    failure(await send(target, '/public/ads/tracking', { json: {} }), 'NO_SUCH_ENDPOINT');
  }),
  decided('an id or a slug with a malformed escape is 400', async (target) => {
    for (const bad of ['%zz', '%', '%E0%A4%A', '%ff', 'a%2', '%C0%AF', '%ED%A0%80']) {
      refuses(await send(target, `/public/posts/${bad}`), 'id');
      refuses(await send(target, `/public/posts/slug/${bad}`), 'slug');
      for (const kind of ['categories', 'tags']) {
        refuses(await send(target, `/public/${kind}/${bad}`), 'id');
        refuses(await send(target, `/public/${kind}/${bad}/posts`), 'id');
      }
      refuses(await send(target, `/public/ads/formats/${bad}`), 'format');
    }
  }),
  decided('no id breaks a lookup', async (target) => {
    const strange = ['%00', 'a%00b', '%F0%9F%98%80', '__proto__x', 'toString', '%25', '%2F', "'%20OR%201=1"];
    const all = [...strange, 'x'.repeat(2000)];
    const { posts, categories, tags } = await survey(target);
    const taken = [...posts.flatMap(({ id, slug }) => [id, slug]), ...[...categories, ...tags].map(({ id }) => id)];
    for (const id of all.filter((one) => !taken.includes(decodeURIComponent(one)))) {
      for (const path of ['posts', 'posts/slug', 'categories', 'tags']) {
        failure(await send(target, `/public/${path}/${id}`), 'NOT_FOUND');
      }
    }
  }),
];
