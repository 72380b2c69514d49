import type { RequestOptions } from 'node:http';

/** A request that is valid HTTP, or nearly. */
export interface HostileRequest extends RequestOptions {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND', 'TRACE'];
const HEADS = [
  '/public/posts',
  '/public/posts/slug/',
  '/public/categories/',
  '/public/tags/',
  '/public/search',
  '/public/ads/formats',
  '/public/ads/formats/',
  '/public/ads/tracking/click',
  '/public/ads/tracking/impression',
  '/public',
  '/',
  '/errors/',
  '/docs',
  '/metrics/',
  '//',
  '/public//posts/',
];
const BITS = [
  '',
  'p1',
  '%',
  '%zz',
  '%00',
  '%ff%fe',
  '..',
  '%2e%2e',
  '%2F',
  "' OR 1=1 --",
  '%F0%9F%92%A9',
  '%',
  '_',
  '\\',
  '"',
  '<script>',
  'BANNER',
  'banner',
  '__proto__',
  'constructor',
  'x'.repeat(900),
  '%ED%A0%80',
  '%E2%80%AE',
  ';',
  '~',
  '*',
  '%0d%0aX-A:b',
  '123e4',
  '-1',
];
const NAMES = ['q', 'limit', 'offset', 'page', 'pageSize', 'status', '__proto__', 'x', ''];
const VALUES = [
  '',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  'NaN',
  '%00',
  'abc',
  '%25%25%25',
  '___',
  'PUBLISHED',
  'draft',
  '%F0%9F%92%A9%F0%9F%92%A9%F0%9F%92%A9',
  '%ff',
  '"',
  "'''",
  'a b',
  'world',
  '9007199254740991',
  '100',
  '%u0000',
  '\\x00',
];
const TYPES = [
  'application/json',
  'APPLICATION/JSON; charset=utf-16',
  'text/plain',
  '',
  'application/json;',
  'multipart/form-data; boundary=x',
  'application/jsonp',
];
const BODIES = [
  '',
  '{',
  '[]',
  'null',
  '0',
  '"x"',
  '{}',
  '{"slots":[]}',
  '{"slots":null}',
  '{"slots":[{"slotId":"a","format":"BANNER"}]}',
  '{"slots":[{"slotId":"","format":"X"},1,null,[]]}',
  '{"clickToken":""}',
  '{"clickToken":1}',
  '{"clickToken":"a.b.c"}',
  '{"clickToken":"eyJhbGciOiJub25lIn0.e30."}',
  '{"__proto__":{"clickToken":"x"}}',
  '\ufeff{}',
  '{"clickToken":"\ud800"}',
  '['.repeat(5000),
  '{"slots":'.repeat(500),
  `{"clickToken":"${'x'.repeat(66_000)}"}`,
  '\u0000',
  '{"a":1}{"b":2}',
];
const ORIGINS = ['null', 'https://news.example', 'javascript:alert(1)', '', 'https://', '\u00ff', 'x'.repeat(500)];

/** Generates a hostile request; `token` is the click token of a real delivery, which may be altered. */
export function hostileRequest(random: () => number, token: string): HostileRequest {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const path =
    pick(HEADS) + Array.from({ length: Math.floor(random() * 3) }, () => pick(BITS)).join(pick(['', '/', '//']));
  const query = Array.from(
    { length: Math.floor(random() * 4) },
    () => `${pick(NAMES)}${pick(['=', '=', '', '[]='])}${pick(VALUES)}`,
  );
  const headers: Record<string, string> = {};
  if (random() < 0.85)
    headers['X-API-Key'] =
      random() < 0.9 ? 'test-key' : pick(['', 'x', 'test-key,test-key', 'k'.repeat(4000), '\u00e9']);
  if (random() < 0.6) headers['Content-Type'] = pick(TYPES);
  if (random() < 0.3) headers['Origin'] = pick(ORIGINS);
  if (random() < 0.2) headers['Referer'] = pick(ORIGINS);
  if (random() < 0.2) headers['If-None-Match'] = pick(['*', '"', 'W/"x"', '"x", "y"', ',,,']);
  if (random() < 0.2) headers['X-Forwarded-For'] = pick(['', ',', '::1', '999.1.1.1', 'a,b,c', '1.2.3.4, ']);
  if (random() < 0.1) headers['Content-Encoding'] = pick(['gzip', 'br', 'identity', 'x']);
  if (random() < 0.05) headers['Expect'] = pick(['a miracle', '']);
  if (random() < 0.1) headers['Host'] = pick(['', 'x', 'a:99999', '[::1', 'a/b', '\u00ff', 'a@b']);
  const method = pick(METHODS);
  const withBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  // Node's client would refuse these characters.
  const target = `${path}${query.length > 0 ? `?${query.join('&')}` : ''}`.replace(/[^\x21-\x7e]/g, '%20');
  const body = () => (random() < 0.15 ? spoiled(random, token) : pick(BODIES));
  return { method, path: target, headers, body: withBody ? body() : '' };
}

/** A click whose token lacks one character, or is unchanged. */
function spoiled(random: () => number, token: string): string {
  const at = Math.floor(random() * token.length);
  const clickToken = random() < 0.1 ? token : token.slice(0, at) + token.slice(at + 1);
  return JSON.stringify({ clickToken });
}

/** A small generator of numbers in `[0, 1)` that gives the same sequence for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
