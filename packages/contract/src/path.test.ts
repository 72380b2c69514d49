import { expect, test } from 'vitest';
import { ENDPOINT_IDS } from './endpoints.ts';
import { buildPath, findRoute } from './path.ts';

test('every path that buildPath() returns is found by findRoute()', () => {
  for (const id of ENDPOINT_IDS) {
    const path = buildPath(id, { id: 'a/b c', slug: 'ä?#', format: 'BANNER' });
    const routes = ['GET', 'POST'].map((method) => findRoute(method, path));
    expect(routes).toContainEqual(expect.objectContaining({ found: 'endpoint', id }));
  }
});

test.each(['', '.', '..'])('%j is not allowed in a path', (id) => {
  expect(() => buildPath('posts.get', { id })).toThrow(RangeError);
});

test('a known path with another method returns the allowed methods', () => {
  expect(findRoute('DELETE', '/public/posts')).toEqual({ found: 'path', allow: ['GET', 'HEAD', 'OPTIONS'] });
  expect(findRoute('HEAD', '/public/ads/formats/BANNER')).toEqual({ found: 'path', allow: ['GET', 'OPTIONS'] });
  expect(findRoute('GET', '/public/ads/formats')).toEqual({ found: 'path', allow: ['POST', 'OPTIONS'] });
});

test.each(['/public/posts/', '/public', '/', '/public/posts/slug/a/b', '/PUBLIC/posts'])(
  '%s is not an endpoint',
  (path) => {
    expect(findRoute('GET', path)).toEqual({ found: 'nothing' });
  },
);
