import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './folder.ts';

// The second test checks what the first one left behind.
describe('a folder of one test, and one of a group', { shuffle: false }, () => {
  let ofTheFirst = '';
  const ofAll = temporaryFolder();

  test('has the files that were written into it', async () => {
    const folder = temporaryFolder();
    ofTheFirst = await folder.write({ 'a/b.txt': 'one', 'c.bin': new Uint8Array([1, 2]) });
    expect(readFileSync(folder.join('a', 'b.txt'), 'utf8')).toBe('one');
    expect([...readFileSync(folder.join('c.bin'))]).toEqual([1, 2]);
    await ofAll.write({ 'kept.txt': '' });
  });

  test('is removed after its test or group', () => {
    expect(ofTheFirst).not.toBe('');
    expect(existsSync(ofTheFirst)).toBe(false);
    expect(existsSync(ofAll.join('kept.txt'))).toBe(true);
  });
});

test('two folders have different paths', () => {
  expect(temporaryFolder().path).not.toBe(temporaryFolder().path);
});
