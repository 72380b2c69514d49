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

const mock = createMock();
