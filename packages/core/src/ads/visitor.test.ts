import { expect, test } from 'vitest';
import { visitorAddress } from './visitor.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [' 203.0.113.255 ', '203.0.113.255'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['::ffff:1.2.3.4%lo', '1.2.3.4'],
  [undefined, undefined],
  ['', undefined],
  ['1.2.3', undefined],
  ['1.2.3.4.5', undefined],
  ['1.2.3.x4', undefined],
  ['1.2.3.4x', undefined],
  ['1.2.3.0004', undefined],
  ['x::1', undefined],
  ['::1x', undefined],
  ['unknown', undefined],
  ['1.2.3.400', undefined],
  ['1:2:3', undefined],
  ['1::2::3', undefined],
])('%j is the visitor %j', (ip, expected) => {
  expect(visitorAddress(ip)).toBe(expected);
});
