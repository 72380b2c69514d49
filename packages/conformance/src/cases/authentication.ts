import { equal } from '../expect.ts';
import { failure } from '../failure.ts';
import { send } from '../send.ts';
import { read } from '../success.ts';
import { section } from '../target.ts';

const promised = section({ section: '5' });
const decided = section({ section: 'decided' });
/** Every endpoint below `/public`, by its method. */
export const GETS = [
  ...['/posts', '/posts/x', '/posts/slug/x', '/search?q=abc', '/ads/formats/BANNER'],
  ...['categories', 'tags'].flatMap((kind) => [`/${kind}`, `/${kind}/x`, `/${kind}/x/posts`]),
];
export const POSTS = ['/ads/formats', '/ads/tracking/click', '/ads/tracking/impression'];

/** Section 5: every request carries the key of one blog. */
export const authenticationCases = [
  promised('every endpoint returns 401 UNAUTHORIZED without a key, and with an invalid one', async (target) => {
    for (const key of [null, 'not-a-key']) {
      for (const path of GETS) failure(await send(target, `/public${path}`, { key }), 'UNAUTHORIZED');
      for (const path of POSTS) failure(await send(target, `/public${path}`, { key, json: {} }), 'UNAUTHORIZED');
    }
  }),
  promised('a key must match exactly', async (target) => {
    const { apiKey } = target;
    const near = [
      `${apiKey}x`,
      apiKey.slice(0, -1),
      `x${apiKey}`,
      `Bearer ${apiKey}`,
      `${apiKey},${apiKey}`,
      '%',
      '*',
      "' OR 1=1 --",
    ];
    const cased = [apiKey.toUpperCase(), apiKey.toLowerCase()].filter((key) => key !== apiKey);
    for (const key of [...near, ...cased, '', '__proto__', 'constructor', 'x'.repeat(1000)]) {
      failure(await send(target, '/public/posts', { key }), 'UNAUTHORIZED');
    }
  }),
  promised('a key is only read from X-API-Key', async (target) => {
    const { apiKey } = target;
    const elsewhere = ['Authorization', 'Cookie', 'Api-Key', 'Apikey'].map((header) => {
      const value = { Authorization: `Bearer ${apiKey}`, Cookie: `api_key=${apiKey}; X-API-Key=${apiKey}` }[header];
      return { key: null, headers: { [header]: value ?? apiKey } };
    });
    for (const options of elsewhere) failure(await send(target, '/public/posts', options), 'UNAUTHORIZED');
    for (const name of [
      'apiKey',
      'api_key',
      'api-key',
      'apikey',
      'x-api-key',
      'X-API-Key',
      'key',
      'token',
      'access_token',
    ]) {
      failure(await send(target, `/public/posts?${name}=${apiKey}`, { key: null }), 'UNAUTHORIZED');
    }
  }),
  promised('no parameter selects another blog', async (target) => {
    const mine = await read(target, '/public/categories');
    equal(await read(target, '/public/categories?blogId=conformance-other&blog=x'), mine, 'categories');
  }),
  decided('a request without a key is 401, regardless of its route, method and body', async (target) => {
    const key = null;
    for (const path of ['/nothing/here', '/posts?limit=0', '/posts/%zz', '/ads/formats/nope']) {
      failure(await send(target, `/public${path}`, { key }), 'UNAUTHORIZED');
    }
    failure(await send(target, '/public/posts', { key, method: 'DELETE' }), 'UNAUTHORIZED');
    failure(await send(target, '/public/ads/formats', { key, body: 'not json' }), 'UNAUTHORIZED');
    failure(await send(target, '/public/ads/formats', { key, json: { slots: 'x'.repeat(70_000) } }), 'UNAUTHORIZED');
  }),
];
