import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { readEnvironment } from './environment.ts';

const folder = temporaryFolder();

it('secrets are read from files, without the line break at their end', async () => {
  await folder.write({ url: 'postgres://u:p@h/b\n', token: 'bst_abc' });
  const env = { DATABASE_URL_FILE: folder.join('url'), BROADSHEET_ADMIN_TOKEN_FILE: folder.join('token'), PORT: '80' };
  expect(readEnvironment(env)).toMatchObject({ DATABASE_URL: 'postgres://u:p@h/b', BROADSHEET_ADMIN_TOKEN: 'bst_abc' });
  expect(readEnvironment({ DATABASE_URL: 'sqlite:a', DATABASE_URL_FILE: '' })['DATABASE_URL']).toBe('sqlite:a');
});

it('a file that cannot be read, and a secret that is given twice, are refused by name', () => {
  expect(() => readEnvironment({ BROADSHEET_SECRET_FILE: folder.join('none') })).toThrow(
    /^BROADSHEET_SECRET_FILE: cannot read .*none: ENOENT/,
  );
  expect(() => readEnvironment({ DATABASE_URL: 'sqlite:a', DATABASE_URL_FILE: folder.join('url') })).toThrow(
    'DATABASE_URL_FILE: DATABASE_URL is set, too; set only one of them',
  );
});
