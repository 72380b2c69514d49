import { expect, test } from 'vitest';
import { redirectRefused } from './redirect-refused.ts';

const FROM = 'https://blog.example/public/posts';
const say = (response: Partial<Response>, method = 'GET') =>
  redirectRefused({ endpoint: 'posts.list', method }, FROM, {
    type: 'basic',
    status: 302,
    headers: new Headers(),
    ...response,
  } as Response);
const to = (location: string) => ({ headers: new Headers({ location, 'x-request-id': 'req_1' }) });

test.each<[string, Partial<Response>, string, string]>([
  [
    'to another origin',
    to('https://other.example/a?key=1'),
    'GET',
    'redirects to https://other.example/a, where the key is not sent: set baseUrl to the final address.',
  ],
  [
    'in a circle',
    to('/public/posts'),
    'GET',
    'redirects to https://blog.example/public/posts, and so on: it was followed as often as a redirect is. Is it a loop?',
  ],
  [
    'of a POST',
    to('/b'),
    'POST',
    'redirects to https://blog.example/b, and a POST is not sent twice: set baseUrl to the final address.',
  ],
  [
    'that a page cannot see',
    { type: 'opaqueredirect', status: 0 },
    'GET',
    'redirects, and a page cannot see where to: set baseUrl to the final address.',
  ],
  ['without a Location', {}, 'GET', 'redirects without a Location: mend the server, or check baseUrl.'],
  [
    'to no URL',
    to(`http://[${'x'.repeat(300)}`),
    'GET',
    `redirects to "http://[${'x'.repeat(192)}", which is no URL: mend the server, or check baseUrl.`,
  ],
])('a redirect %s', (_, response, method, words) => {
  expect(say(response, method).message).toBe(`posts.list: ${method} ${FROM} ${words}`);
});

test('it carries what is known of the answer', () => {
  expect(say(to('/b'), 'POST')).toMatchObject({
    kind: 'RedirectError',
    facts: { code: 'REDIRECT_REFUSED', phase: 'answer', status: 302, requestId: 'req_1' },
  });
  expect(say({ type: 'opaqueredirect', status: 0 }).facts).toMatchObject({ status: undefined, requestId: undefined });
});
