import { ENDPOINTS } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { readSettings } from '../settings.ts';
import { createExchange } from './exchange.ts';
import { redirectRefused } from './redirect-refused.ts';

const settings = readSettings({ baseUrl: 'https://blog.example', apiKey: 'key' });
const FROM = 'https://blog.example/public/posts';
const say = (response: Partial<Response>, method = 'GET') =>
  redirectRefused(
    createExchange(settings, { id: 'posts.list', endpoint: { ...ENDPOINTS['posts.list'], method }, options: {} }),
    FROM,
    {
      type: 'basic',
      status: 302,
      headers: new Headers(),
      ...response,
    } as Response,
  );
const to = (location: string) => ({ headers: new Headers({ location, 'x-request-id': 'req_1' }) });

test.each<[string, Partial<Response>, string, string]>([
  [
    'to another origin',
    to('https://other.example/a?key=1'),
    'GET',
    'was redirected: the API key is not sent to another origin, https://other.example/a. Set baseUrl to the final URL.',
  ],
  [
    'in a loop',
    to('/public/posts'),
    'GET',
    'was redirected: too many redirects, last to https://blog.example/public/posts.',
  ],
  [
    'of a POST',
    to('/b'),
    'POST',
    'was redirected: a POST is not sent again, to https://blog.example/b. Set baseUrl to the final URL.',
  ],
  [
    'that a page cannot see',
    { type: 'opaqueredirect', status: 0 },
    'GET',
    'was redirected: a browser hides the target. Set baseUrl to the final URL.',
  ],
  ['without a Location', {}, 'GET', 'was redirected: the response has no Location header. Check baseUrl.'],
  [
    'to no URL',
    to(`http://[${'x'.repeat(300)}`),
    'GET',
    `was redirected: "http://[${'x'.repeat(192)}" is not a URL. Check baseUrl.`,
  ],
])('a redirect %s', (_, response, method, words) => {
  expect(say(response, method).message).toBe(`posts.list: ${method} ${FROM} ${words}`);
});

test('the error has the status and request id of the response', () => {
  expect(say(to('/b'), 'POST')).toMatchObject({
    name: 'RedirectError',
    code: 'REDIRECT_REFUSED',
    phase: 'answer',
    status: 302,
    requestId: 'req_1',
  });
  const hidden = say({ type: 'opaqueredirect', status: 0 });
  expect([hidden.status, hidden.requestId]).toEqual([undefined, undefined]);
});
