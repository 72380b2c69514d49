import fc from 'fast-check';
import { expect, test } from 'vitest';
import { added, type Lookup } from './layered-map.ts';

const never = () => false;

test('it has the entries that a map would have, and earlier ones are not changed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(9))), (entries) => {
      const reference = new Map<string, number>();
      let map: Lookup<number> = new Map();
      for (const [key, value] of entries) {
        const before = map;
        const known = [...before];
        map = added(before, key, value, never);
        expect([...before]).toEqual(known);
        reference.set(key, value);
        expect(new Map(map)).toEqual(reference);
        for (const one of 'abcde')
          expect([map.has(one), map.get(one)]).toEqual([reference.has(one), reference.get(one)]);
      }
    }),
  );
});

test('entries that are over are dropped once there are many, and the others stay', () => {
  let few: Lookup<number> = new Map();
  for (let at = 0; at < 500; at += 1) few = added(few, `${at}`, at, () => true);
  expect([...few]).toHaveLength(500);

  let map: Lookup<number> = new Map();
  for (let at = 0; at < 50_000; at += 1) map = added(map, `${at}`, at, (one) => one < at - 100);
  expect([...map].length).toBeLessThan(4000);
  for (let at = 49_900; at < 50_000; at += 1) expect(map.get(`${at}`)).toBe(at);
});
