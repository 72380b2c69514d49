import { describe, expect, test } from 'vitest';
import { keepReads } from './read-cache.ts';

function setup(answers: Record<string, string>) {
  let epoch = 1;
  const read: string[] = [];
  const kept = keepReads(
    () => epoch,
    async (key) => {
      read.push(key);
      if (key === 'broken') throw new Error('no database');
      return answers[key];
    },
  );
  return { kept, read, pass: () => (epoch += 1) };
}

describe('kept reads', () => {
  test('what was found is read once, also by those who ask at the same time', async () => {
    const { kept, read } = setup({ a: 'A' });
    expect(await Promise.all([kept.get('a'), kept.get('a')])).toEqual(['A', 'A']);
    expect(kept.get('a'), 'without a promise').toBe('A');
    expect(read).toEqual(['a']);
  });

  test('it is read again when somebody else may have written, and when this process has', async () => {
    const answers = { a: 'A' };
    const { kept, read, pass } = setup(answers);
    await kept.get('a');
    answers.a = 'B';
    pass();
    expect(await kept.get('a')).toBe('B');
    answers.a = 'C';
    kept.clear();
    expect(await kept.get('a')).toBe('C');
    expect(read).toHaveLength(3);
  });

  test('what was not found, or could not be read, is asked for each time', async () => {
    const { kept, read } = setup({});
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await kept.get('nobody')).toBeUndefined();
      await expect(kept.get('broken')).rejects.toThrow('no database');
    }
    expect(read).toEqual(['nobody', 'broken', 'nobody', 'broken']);
  });
});
