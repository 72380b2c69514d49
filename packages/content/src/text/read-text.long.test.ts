import { truncate, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { readText } from './read-text.ts';

test('a file that is too large for one string is refused with a workaround', async () => {
  const path = temporaryFolder().join('large.json');
  await writeFile(path, '{');
  await truncate(path, 2 ** 29);
  const read = await readText(path, 'large.json');
  const message = expect.stringMatching(/^is larger than the 512 MB .* split .* "broadsheet copy"$/);
  expect(read).toEqual({ ok: false, problems: [{ at: 'large.json', message }] });
});
