import { expect, test } from 'vitest';
import { createRandom, resumeRandom } from './random.ts';

test('the same seed gives the same sequence, another seed a different one', () => {
  const ids = (seed: string | number) => {
    const random = createRandom(seed);
    return [random.uuid(), random.uuid()];
  };
  expect(ids('a')).toEqual(ids('a'));
  expect(ids(1)).toEqual(ids('1'));
  expect(new Set([...ids('a'), ...ids('b')]).size).toBe(4);
});

test('uuids are version 4', () => {
  const random = createRandom(7);
  for (let n = 0; n < 200; n += 1) {
    expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('below returns every number below its bound and no others', () => {
  const random = createRandom('below');
  const seen = new Set(Array.from({ length: 400 }, () => random.below(5)));
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
});

test('a saved state can be restored', () => {
  const random = createRandom('x');
  random.uuid();
  const place = random.save();
  const after = random.uuid();
  expect(resumeRandom(place).uuid()).toBe(after);
});

test('pick refuses an empty list', () => {
  expect(() => createRandom(1).pick([])).toThrow(/list is empty/);
});
