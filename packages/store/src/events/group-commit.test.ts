import { setImmediate as turn } from 'node:timers/promises';
import { OutcomeUnknown, StoreUnavailable } from '@broadsheet/core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LockTimeout } from '../database.ts';
import { createGroupCommit } from './group-commit.ts';

/** The blog of an item is its first letter. */
const blogOf = (item: string): string => item[0] ?? '';

function setup(fails = false) {
  const groups: string[][] = [];
  const add = createGroupCommit<string, string>(async (items) => {
    groups.push([...items]);
    if (fails) throw new StoreUnavailable('disk full');
    return items.map((item) => item.toUpperCase());
  }, blogOf);
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

  test('a commit that fails slowly also fails items that waited long behind it, but not recent ones', async () => {
    const groups: string[][] = [];
    let fail = (): void => {};
    const add = createGroupCommit<string, string>(async (items) => {
      groups.push([...items]);
      if (groups.length > 1) return [...items];
      return new Promise((_, reject) => {
        fail = () => reject(new StoreUnavailable('timed out'));
      });
    }, blogOf);
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

  test('items that may have been written are not written again, and those behind them were not written', async () => {
    const groups: string[][] = [];
    let fail = (): void => {};
    const add = createGroupCommit<string, string>((items) => {
      groups.push([...items]);
      return new Promise((_, reject) => {
        fail = () => reject(new OutcomeUnknown('lost'));
      });
    }, blogOf);
    const first = [add('a'), add('b')];
    await expect.poll(() => groups).toEqual([['a', 'b']]);
    const behind = add('c');
    vi.advanceTimersByTime(10_000);
    fail();
    for (const item of first) await expect(item).rejects.toThrow(OutcomeUnknown);
    await expect(behind).rejects.toThrow(StoreUnavailable);
    expect(groups).toEqual([['a', 'b']]);
  });

  test('fails all items of a group when the database is unavailable, and then continues', async () => {
    const { groups, add } = setup(true);
    const both = await Promise.allSettled([add('a'), add('b')]);
    expect(both).toMatchObject(Array(2).fill({ reason: { message: 'disk full' } }));
    await expect(add('c')).rejects.toThrow('disk full');
    expect(groups).toEqual([['a', 'b'], ['c']]);
  });

  test('fails only the item that cannot be written, and not others of its blog', async () => {
    const groups: string[][] = [];
    const add = createGroupCommit<string, string>(async (items) => {
      groups.push([...items]);
      if (items.includes('a2')) throw new RangeError('not a time zone');
      return [...items];
    }, blogOf);
    const all = await Promise.allSettled(['a1', 'a2', 'b1', 'a3'].map(add));
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const [together, ...apart] = groups;
    expect(together).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect(apart.map(String).sort()).toEqual(['a1', 'a1,a2,a3', 'a2', 'a3', 'b1']);
  });

  test('makes no blog wait for the locked rows of another blog', async () => {
    const locked = new LockTimeout('locked');
    let unlock = (): void => {};
    const free = new Promise<void>((resolve) => {
      unlock = resolve;
    });
    const [together, apart]: [string[][], string[][]] = [[], []];
    const add = createGroupCommit<string, string>(
      async (items) => {
        together.push([...items]);
        if (items.includes('a1')) throw locked;
        return [...items];
      },
      blogOf,
      async (items) => {
        apart.push([...items]);
        if (blogOf(items[0] ?? '') === 'a') await free;
        return [...items];
      },
    );
    const first = add('a1');
    expect(await add('b1')).toBe('b1');
    const second = add('a2');
    await turn();
    expect(await add('b2')).toBe('b2');
    expect([together, apart]).toEqual([
      [['a1', 'b1'], ['b2']],
      [['a1'], ['b1']],
    ]);
    unlock();
    expect(await Promise.all([first, second])).toEqual(['a1', 'a2']);
    await add.settled();
    expect(await add('a3')).toBe('a3');
    expect([together.at(-1), apart.at(-1)]).toEqual([['a3'], ['a2']]);
  });

  test('fails items that wait behind rows that stay locked', async () => {
    let fail = (): void => {};
    const refuse = async (): Promise<string[]> => {
      await new Promise<void>((resolve) => {
        fail = resolve;
      });
      throw new LockTimeout('locked');
    };
    const add = createGroupCommit<string, string>(() => Promise.reject(new LockTimeout('locked')), blogOf, refuse);
    const first = add('a1');
    const second = turn()
      .then(() => turn())
      .then(() => add('a2'));
    await turn();
    await turn();
    await turn();
    fail();
    expect(await Promise.allSettled([first, second])).toMatchObject(Array(2).fill({ reason: { message: 'locked' } }));
  });
});
