import { expect, test } from 'vitest';
import { createMock } from '../node.ts';

// What the compiler refuses, as JavaScript and the control plane may say it.
test.each([
  [
    'an endpoint',
    () => mock.main.fail('posts.lists' as 'posts.list', 500),
    /no endpoint "posts.lists"; .*posts.list, /,
  ],
  [
    'a code',
    () => mock.main.fail('ads.click', 409, { code: 'NOT_FOUND' as 'CLICK_TOKEN_USED' }),
    /ads.click never answers 409 with "NOT_FOUND"; it has CLICK_TOKEN_USED/,
  ],
  ['a gate', () => mock.main.hold('seach' as 'search'), /no endpoint "seach"; .*search/],
  ['a delay', () => mock.main.delay('seach' as 'search', '1s'), /no endpoint "seach"/],
  ['a disruption', () => mock.main.disrupt('search', 'explode' as 'cut'), /no disruption "explode"; .*reset, cut/],
  ['a lens', () => mock.main.lens('spars' as 'sparse'), /no lens "spars"; there are sparse, maximal/],
  ['a start', () => mock.world({ start: 'yesterday' }), /"yesterday" is no instant; .*ISO 8601/],
  ['an instant', () => mock.main.clock.advanceTo('noon'), /"noon" is no instant/],
])('%s that there is not is refused with those that there are', (_, say, message) => {
  expect(say).toThrow(message);
});

test.each([
  [
    'createMock',
    () => createMock({ baseURL: 'https://api.example' } as object),
    /createMock: there is no option baseURL; there are baseUrl, /,
  ],
  [
    'a base URL',
    () => createMock({ baseUrl: 'api.example' }),
    /createMock: baseUrl is "api.example"; write a whole URL/,
  ],
  ['mock.world', () => mock.world({ nam: 'x' } as object), /mock.world: there is no option nam; there are name, seed/],
  ['a pace', () => mock.world({ pace: 'fast' as 'real' }), /no pace "fast"; there are virtual, real/],
  ['an address', () => mock.world({ ip: 'localhost' }), /ip is "localhost"; write an address such as 192.0.2.1/],
  [
    'a visitor',
    () => mock.main.visitAs({ origin: 'site.example' }),
    /origin is "site.example"; write one such as https:/,
  ],
  [
    'fail',
    () => mock.main.fail('search', 500, { time: 1 } as object),
    /fail: there is no option time; there are times, after/,
  ],
  ['times', () => mock.main.fail('search', 500, { times: 1.5 }), /times is 1.5; write a whole number from 1/],
  ['nth', () => mock.main.fail('search', 500, { nth: 0 }), /nth is 0; write a whole number from 1/],
  ['p', () => mock.main.fail('search', 500, { p: 10 }), /p is 10; write a chance above 0, up to 1/],
  [
    'a status as text',
    () => mock.main.fail('search', '500' as unknown as 500),
    /search never answers "500" .*; a status is a number/,
  ],
  ['disrupt', () => mock.main.disrupt('search', 'cut', { code: 1 } as object), /disrupt: there is no option code/],
  ['a sequence', () => mock.main.sequence('search', []), /sequence: \[\] is no list of steps; .*\[503, 'reset', 200\]/],
  ['a step', () => mock.main.sequence('search', [409 as 500]), /search never answers 409/],
  ['a profile', () => mock.main.profile('5g' as '4g'), /no profile "5g"; there are slow-3g, fast-3g, 4g/],
  [
    'a field of a profile',
    () => mock.main.profile({ lag: 5 } as object),
    /profile: there is no option lag; there are latency, p/,
  ],
  ['hold', () => mock.main.hold('search', { times: 0 }), /times is 0; write a whole number from 1/],
  ['advance', () => mock.main.clock.advance(1e20), /100000001767268800000 is no instant/],
  [
    'put',
    () => mock.main.put({ post: [] } as object),
    /put: there is no option post; there are name, domains, categories, tags, posts, ads/,
  ],
  ['put of a list', () => mock.main.put([] as object), /put: \[\] is no object; it takes name/],
  ['restore', () => mock.main.restore(undefined as never), /restore takes what snapshot\(\) gave/],
])('wrong use is refused by name, where it happens: %s', (_, say, message) => {
  expect(say).toThrow(message);
});

const mock = createMock();

test('the doors refuse options that there are not', async () => {
  const mock = createMock();
  expect(() => mock.handlers({ unknwon: 'answer' } as object)).toThrow(/mock.handlers: there is no option unknwon/);
  expect(() => mock.handlers({ unknown: 'refuse' as 'leave' })).toThrow(/unknown paths "refuse"; there are leave, ans/);
  await expect(mock.listen({ prot: 1 } as object)).rejects.toThrow(/mock.listen: there is no option prot/);
  await expect(mock.listen({ port: -1 })).rejects.toThrow(/mock.listen: port is -1; write a whole number/);
});

test('a world of another mock, or one that is gone already, drops none of this one', () => {
  const [mock, other] = [createMock(), createMock()];
  const [world, foreign] = [mock.world({ name: 'same' }), other.world({ name: 'same' })];
  mock.drop(foreign);
  expect(() => mock.world({ name: 'same' })).toThrow(/taken/);
  mock.drop(world);
  mock.drop(world);
  expect(mock.world({ name: 'same' }).name).toBe('same');
});
