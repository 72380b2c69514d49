import { expect, test } from 'vitest';
import { changedFrom, onCurrent, shownText } from './seen.ts';

test('only what differs from what was seen is sent', () => {
  const seen = { name: 'Tea', ends: '2026-12-01', domains: 'a.example\nb.example', contact: '' };
  const args = { name: 'Coffee', ends: '2026-12-01', domains: ['a.example', 'b.example'], contact: null, ad: 'id' };
  expect(changedFrom(seen, args, () => false)).toEqual({ name: 'Coffee', ad: 'id' });
  expect(changedFrom(seen, args, (name) => name === 'ends')).toEqual({ name: 'Coffee', ad: 'id', ends: '2026-12-01' });
});

test('a conflict names both values of each field, and equal choices are no conflict', () => {
  const seen = { name: 'Tea', contact: 'a@b.example', logo: '' };
  const current = { name: 'Cocoa', contact: '', logo: 'https://a.example/' };
  const attempt = (args: object) => () => onCurrent(seen, current, args);
  expect(attempt({ name: 'Coffee' })).toThrow(/to “Cocoa”\. You entered “Coffee”/);
  expect(attempt({ contact: 'c@d.example' })).toThrow(/to nothing\. You entered “c@d\.example”/);
  expect(attempt({ name: 'Cocoa', contact: null, other: 'new' })).not.toThrow();
  expect(onCurrent(seen, current, { name: 'Tea', other: 'new' })).toEqual({ name: 'Cocoa', other: 'new' });
  expect(attempt({ logo: 'https://b.example/' })).toThrow('https://a.example/');
});

test('a day is shown in the time zone of the blog', () => {
  expect(shownText('2026-12-01T04:00:00.000Z', 'last day', 'America/New_York')).toBe('2026-11-30');
  expect(shownText(null, 'last day', 'UTC')).toBe('');
  expect(shownText(0)).toBe('0');
});
