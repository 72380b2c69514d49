import { expect, test } from 'vitest';
import { isCountedByItself, placementOf } from './placements.ts';

test.each(['top', ' ', 'other', '😀', '__proto__', '\n'])('the slot id %j is a placement', (slotId) => {
  expect(placementOf(slotId)).toBe(slotId);
});

test.each(['a\0b', '\ud83d', 'x\udc00y'])('the slot id %j, which some databases cannot store, is "other"', (slotId) => {
  expect(placementOf(slotId)).toBe('other');
});

test('the first two hundred placements of a day are counted separately, the others together', () => {
  const names = Array.from({ length: 200 }, (_, index) => `slot ${index}`);
  expect(isCountedByItself('one more', new Set(names.slice(1)))).toBe(true);
  expect(isCountedByItself('one more', new Set(names))).toBe(false);
  expect(isCountedByItself('slot 7', new Set(names))).toBe(true);
  expect(isCountedByItself('other', new Set())).toBe(false);
});
