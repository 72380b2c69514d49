import { describe, expect, test } from 'vitest';
import { createMock as inBrowser } from '../browser.ts';
import { createMock as inNode } from '../node.ts';

describe.each([
  ['Node', inNode],
  ['a browser', inBrowser],
])('in %s', (_, createMock) => {
  const mock = createMock();

  // The compiler refuses these values, but JavaScript and the control plane may send them.
  test.each([
    [
      'an endpoint',
      () => mock.main.fail('posts.lists' as 'posts.list', 500),
      /fail: target must be one of \*, posts.list, .*; received "posts.lists"/,
    ],
    [
      'a code',
      () => mock.main.fail('ads.click', 409, { code: 'NOT_FOUND' as 'CLICK_TOKEN_USED' }),
      /ads.click never responds with 409 and NOT_FOUND; its contract has CLICK_TOKEN_USED/,
    ],
    ['a gate', () => mock.main.hold('seach' as 'search'), /hold: target must be one of .*search.*; received "seach"/],
    ['a delay', () => mock.main.delay('seach' as 'search', '1s'), /delay: target must be .*; received "seach"/],
    ['a network', () => mock.main.delay('search', '5g' as '4g'), /"5g" is not a duration; write milliseconds, or/],
    [
      'a transport fault',
      () => mock.main.fail('search', 'explode' as 'cut'),
      /failure must be one of a status of the contract, reset, cut.*; received "explode"/,
    ],
    ['a lens', () => mock.main.lens('spars' as 'sparse'), /lens must be one of sparse, maximal.*; received "spars"/],
    ['a start', () => mock.world({ start: 'yesterday' }), /"yesterday" is not a timestamp; .*ISO 8601/],
  ])('an invalid value is refused with the valid ones: %s', (_, say, message) => {
    expect(say).toThrow(message);
  });

  test.each([
    [
      'createMock',
      () => createMock({ baseURL: 'https://api.example' } as object),
      /createMock: unknown option "baseURL"; expected one of baseUrl, /,
    ],
    [
      'a base URL',
      () => createMock({ baseUrl: 'api.example' }),
      /createMock: baseUrl must be an absolute URL; received "api.example"/,
    ],
    [
      'mock.world',
      () => mock.world({ nam: 'x' } as object),
      /mock.world: unknown option "nam"; expected one of name, seed/,
    ],
    ['a pace', () => mock.world({ pace: 'fast' as 'real' }), /pace must be one of virtual, real; received "fast"/],
    ['an address', () => mock.world({ ip: 'localhost' }), /ip must be an IP address; received "localhost"/],
    [
      'a visitor',
      () => mock.main.visitAs({ origin: 'site.example' }),
      /origin must be an origin such as https:.*; received "site.example"/,
    ],
    [
      'fail',
      () => mock.main.fail('search', 500, { time: 1 } as object),
      /fail: unknown option "time"; expected one of times, when, id, nth, p, after, code, message/,
    ],
    [
      'times',
      () => mock.main.fail('search', 500, { times: 1.5 }),
      /times must be an integer of at least 1; received 1.5/,
    ],
    ['nth', () => mock.main.fail('search', 500, { nth: 0 }), /nth must be an integer of at least 1; received 0/],
    ['p', () => mock.main.fail('search', 500, { p: 10 }), /p must be above 0 and at most 1; received 10/],
    [
      'a status as text',
      () => mock.main.fail('search', '500' as unknown as 500),
      /failure must be one of a status of the contract, reset, .*; received "500"/,
    ],
    [
      'a code of a transport fault',
      () => mock.main.fail('search', 'cut', { code: 'x' as never }),
      /fail: code and message need a status, such as fail\(target, 500, \{ message \}\)/,
    ],
    [
      'an empty list',
      () => mock.main.fail('search', []),
      /fail: the list must not be empty; pass a list such as \[503, 'reset', 200\]/,
    ],
    ['a status in a list', () => mock.main.fail('search', [409 as 500]), /search never responds with 409/],
    ['hold', () => mock.main.hold('search', { times: 0 }), /times must be an integer of at least 1; received 0/],
    ['advance', () => mock.main.clock.advance(1e20), /100000001767268800000 is not a timestamp/],
    [
      'put',
      () => mock.main.put({ post: [] } as object),
      /put: unknown option "post"; expected one of name, domains, timeZone, categories, tags, posts, campaigns, ads/,
    ],
    ['put of a list', () => mock.main.put([] as object), /put: expected an object with name, .*; received \[\]/],
    [
      'restore',
      () => mock.main.restore(undefined as never),
      /restore: expected a snapshot of world main; received one of undefined/,
    ],
  ])('invalid arguments are refused by name, in the call itself: %s', (_, say, message) => {
    expect(say).toThrow(message);
  });
});

test('listen refuses unknown options', async () => {
  const mock = inNode();
  await expect(mock.listen({ prot: 1 } as object)).rejects.toThrow(/mock.listen: unknown option "prot"/);
  await expect(mock.listen({ port: -1 })).rejects.toThrow(/mock.listen: port must be an integer .*; received -1/);
});

test('dropping a world of another mock, or a dropped one, drops no world of this mock', () => {
  const [mock, other] = [inNode(), inNode()];
  const [world, foreign] = [mock.world({ name: 'same' }), other.world({ name: 'same' })];
  mock.drop(foreign);
  expect(() => mock.world({ name: 'same' })).toThrow(/taken/);
  mock.drop(world);
  mock.drop(world);
  expect(mock.world({ name: 'same' }).name).toBe('same');
});
