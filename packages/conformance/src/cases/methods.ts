import { equal, holds, present } from '../expect.ts';
import { failure } from '../failure.ts';
import { send } from '../send.ts';
import { section } from '../target.ts';
import { GETS, POSTS } from './authentication.ts';

const decided = section({ section: 'decided' });
/** The names in a header, in lower case. */
export const words = (header: string | null) => (header ?? '').toLowerCase().split(/\s*,\s*/);

/** Methods, HEAD and cross-origin requests. */
export const methodCases = [
  decided('another method on a known path is 405 with Allow', async (target) => {
    const check = async (path: string, method: string, allowed: string) => {
      const response = await send(target, `/public${path}`, { method });
      failure(response, 'METHOD_NOT_ALLOWED');
      const allow = words(response.headers.get('allow'));
      holds(allow.includes(allowed), `Allow of ${path} names ${allowed}, found ${allow.join()}`);
      holds(!allow.includes(method.toLowerCase()), `Allow of ${path} does not name ${method}`);
    };
    for (const path of GETS) for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) await check(path, method, 'get');
    for (const path of POSTS) for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) await check(path, method, 'post');
  }),
  decided('HEAD responds as GET does, without a body', async (target) => {
    for (const path of ['/public/posts', '/public/categories', '/public/search?q=abc', '/public/posts/no-such-3b1f']) {
      const [get, head] = [await send(target, path), await send(target, path, { method: 'HEAD' })];
      equal(head.status, get.status, `HEAD ${path}: status`);
      equal(head.text, '', `HEAD ${path}: body`);
      for (const name of ['content-type', 'etag', 'cache-control', 'vary']) {
        equal(head.headers.get(name), get.headers.get(name), `HEAD ${path}: ${name}`);
      }
    }
    equal((await send(target, '/public/posts', { method: 'HEAD', key: null })).status, 401, 'HEAD without a key');
  }),
  decided('HEAD of an ad delivery is 405: no reader would see the ad', async (target) => {
    for (const format of ['BANNER', 'INLINE']) {
      const response = await send(target, `/public/ads/formats/${format}`, { method: 'HEAD' });
      equal([response.status, response.text], [405, ''], `HEAD ${format}`);
      equal(words(response.headers.get('allow')).includes('head'), false, 'Allow names HEAD');
    }
  }),
  decided('every response may be read from every origin, without credentials', async (target) => {
    const headers = { Origin: 'https://reader.example' };
    const responses = [
      await send(target, '/public/posts'),
      await send(target, '/public/posts', { headers }),
      await send(target, '/public/posts', { headers, key: null }),
      await send(target, '/public/posts', { key: null }),
      await send(target, '/public/nothing'),
      await send(target, '/public/posts', { method: 'DELETE' }),
      await send(target, '/public/ads/formats/nope'),
      await send(target, '/public/ads/tracking/click', { body: 'x' }),
      await send(target, '/public/ads/tracking/click', { json: { clickToken: 'x'.repeat(70_000) } }),
      await send(target, '/public/ads/tracking/impression', { method: 'POST' }),
    ];
    for (const { request, headers } of responses) {
      equal(headers.get('access-control-allow-origin'), '*', `${request}: Access-Control-Allow-Origin`);
      equal(headers.get('access-control-allow-credentials'), null, `${request}: Access-Control-Allow-Credentials`);
      const exposed = words(headers.get('access-control-expose-headers'));
      for (const name of ['x-request-id', 'etag', 'retry-after'])
        holds(exposed.includes(name), `${request}: ${name} is exposed`);
    }
  }),
  decided('a preflight needs no key and allows the methods and headers of the API', async (target) => {
    for (const path of [...GETS, ...POSTS]) {
      const method = POSTS.includes(path) ? 'POST' : 'GET';
      const headers = {
        Origin: 'https://reader.example',
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'x-api-key,content-type',
      };
      const response = await send(target, `/public${path}`, { method: 'OPTIONS', key: null, headers });
      const at = response.request;
      holds(response.status === 200 || response.status === 204, `${at}: ${response.status} is 200 or 204`);
      equal(response.headers.get('access-control-allow-origin'), '*', `${at}: Access-Control-Allow-Origin`);
      const allowed = words(response.headers.get('access-control-allow-headers'));
      for (const name of ['x-api-key', 'content-type', 'if-none-match'])
        holds(allowed.includes(name), `${at}: allows ${name}`);
      const methods = words(response.headers.get('access-control-allow-methods'));
      holds(methods.includes(method.toLowerCase()), `${at}: allows ${method}`);
      equal(response.headers.get('access-control-max-age'), '86400', `${at}: Access-Control-Max-Age`);
      equal(response.headers.get('access-control-allow-credentials'), null, `${at}: credentials`);
      present(response.headers.get('x-request-id'), `${at}: X-Request-Id`);
    }
  }),
];
