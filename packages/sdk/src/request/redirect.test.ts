import { ENDPOINTS } from '@broadsheet/contract';
import { expect, test } from 'vitest';
import { prepare } from '../calls/outgoing.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import { core } from '../on-demand-core.ts';
import { readSettings } from '../settings.ts';
import { redirectTarget } from './redirect.ts';

const settings = readSettings({ baseUrl: 'https://blog.example', apiKey: 'key' });
const FROM = 'https://blog.example/public/posts';
const outgoing = (method: string) =>
  prepare(settings, { id: 'posts.list', endpoint: { ...ENDPOINTS['posts.list'], method } });
const follow = (response: Partial<Response>, method = 'GET', hops = 0): string => {
  const whole = { type: 'basic', status: 302, headers: new Headers(), ...response } as Response;
  return redirectTarget(core, outgoing(method), { from: FROM, response: whole, hops });
};
/** The error of a redirect that is not followed. */
function say(response: Partial<Response>, method?: string, hops?: number): BroadsheetError {
  try {
    follow(response, method, hops);
  } catch (error) {
    return error as BroadsheetError;
  }
  throw new Error('it is followed');
}
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
    'was redirected: too many redirects, last to https://blog.example/public/posts. Set baseUrl to the final URL.',
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
  [
    'without a Location',
    {},
    'GET',
    'was redirected: the response has no Location header. Set baseUrl to the final URL.',
  ],
  [
    'to no URL',
    to(`http://[${'x'.repeat(300)}`),
    'GET',
    `was redirected: "http://[${'x'.repeat(192)}" is not a URL. Set baseUrl to the final URL.`,
  ],
])('a redirect %s', (_, response, method, words) => {
  expect(say(response, method, 3).message).toBe(`posts.list: ${method} ${FROM} ${words}`);
});

test('the error has the status and request id of the response', () => {
  expect(say(to('/b'), 'POST')).toMatchObject({
    name: 'RedirectError',
    code: 'REDIRECT_REFUSED',
    phase: 'response',
    status: 302,
    requestId: 'req_1',
  });
  const hidden = say({ type: 'opaqueredirect', status: 0 });
  expect([hidden.status, hidden.requestId]).toEqual([undefined, undefined]);
});

test('a redirect of a GET within the origin is followed, three times at most', () => {
  expect([0, 1, 2].map((hops) => follow(to('../b?c=1'), 'GET', hops))).toEqual(
    Array(3).fill('https://blog.example/b?c=1'),
  );
  expect(say(to('/b'), 'GET', 3).code).toBe('REDIRECT_REFUSED');
});
