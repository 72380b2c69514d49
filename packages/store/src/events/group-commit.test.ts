import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGroupCommit } from './group-commit.ts';

function setup(fails = false) {
  const groups: string[][] = [];
  const add = createGroupCommit<string, string>(async (items) => {
    groups.push([...items]);
    if (fails) throw new Error('disk full');
    return items.map((item) => item.toUpperCase());
  });
  return { groups, add };
}

/** Adds one item per turn of the event loop, before the turn that the group waits for ends, as requests do. */
async function onePerTurn(count: number, add: (item: string) => Promise<string>): Promise<Promise<string>[]> {
  const results: Promise<string>[] = [];
  for (let item = 0; item < count; item += 1) {
    const end = turn();
    results.push(add(String(item)));
    await end;
  }
  return results;
}

// On a busy machine a turn may take longer than a commit waits for others.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a group commit', () => {
  test('gives each item its own result', async () => {
    const { groups, add } = setup();
    expect(await Promise.all([add('b'), add('c')])).toEqual(['B', 'C']);
    expect(groups).toEqual([['b', 'c']]);
  });

  test('commits a single item after one turn without another item', async () => {
    const { groups, add } = setup();
    const result = add('a');
    await turn();
    await turn();
    expect(groups).toEqual([['a']]);
    expect(await result).toBe('A');
  });

  test('includes the items of further turns until a turn adds none', async () => {
    const { groups, add } = setup();
    const first = await onePerTurn(3, add);
    await turn();
    await turn();
    const second = await onePerTurn(2, add);
    await Promise.all([...first, ...second]);
    expect(groups).toEqual([
      ['0', '1', '2'],
      ['0', '1'],
    ]);
  });

  test('closes after eight turns, even if items keep arriving', async () => {
    const { groups, add } = setup();
    await Promise.all(await onePerTurn(20, add));
    expect(groups.map(({ length }) => length)).toEqual([9, 9, 2]);
  });

  test('that fails slowly also fails items that waited long behind it, but not recent ones', async () => {
    const groups: string[][] = [];
    let fail = (): void => {};
    const add = createGroupCommit<string, string>(async (items) => {
      groups.push([...items]);
      if (groups.length > 1) return [...items];
      return new Promise((_, reject) => {
        fail = () => reject(new Error('timed out'));
      });
    });
    const first = add('first');
    await expect.poll(() => groups).toEqual([['first']]);
    const early = add('early');
    vi.advanceTimersByTime(10_000);
    const late = add('late');
    fail();
    await expect(first).rejects.toThrow('timed out');
    await expect(early).rejects.toThrow('timed out');
    expect(await late).toBe('late');
  });

  test('fails all items of a group with the same error, and then continues', async () => {
    const { groups, add } = setup(true);
    const both = await Promise.allSettled([add('a'), add('b')]);
    expect(both.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(
      Array(2).fill('Error: disk full'),
    );
    await expect(add('c')).rejects.toThrow('disk full');
    expect(groups).toEqual([['a', 'b'], ['c']]);
  });
});
