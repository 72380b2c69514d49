import { StoreUnavailable } from '@broadsheet/core';
import { expect, it } from 'vitest';
import { unusable } from './unusable.ts';

it.each([
  [
    8,
    'attempt to write a readonly database',
    /^Cannot use the database sqlite:\/data\/b\.db: attempt .*; this user must be able to write the file and the folder \/data$/,
  ],
  [14, 'unable to open database file', /; this user must be able to write the file and the folder \/data$/],
  [1 + 256 * 20 + 4, 'database is locked', /; another program has locked it/],
])('the SQLite error %s is reported with its fix', (errcode, message, expected) => {
  const cause = Object.assign(new Error(message), { errcode });
  const error = new StoreUnavailable(`The database cannot be used for now: ${message}`, { cause });
  expect(unusable('sqlite:/data/b.db', error).message).toMatch(expected);
});

it('an error with nested causes is reported with one fix', () => {
  const inner = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' });
  const error = new StoreUnavailable('away', { cause: new AggregateError([inner], '') });
  expect(unusable('postgres://u:p/w@h/b', error).message).toMatch(
    /^Cannot use the database postgres:\/\/u:…@h\/b: [^;]*; is PostgreSQL running there\? [^;]*; in a password, write @ as %40[^;]*$/,
  );
});

it('a read-only PostgreSQL server is reported with a hint to use the primary', () => {
  const cause = Object.assign(new Error('cannot execute CREATE TABLE in a read-only transaction'), { code: '25006' });
  expect(unusable('postgres://h/b', new StoreUnavailable('away', { cause })).message).toMatch(
    /read-only transaction; it is a standby, or default_transaction_read_only is on: connect to the primary/,
  );
});

it('an error of PgBouncer is reported with the missing line of its configuration', () => {
  const cause = Object.assign(new Error('unsupported startup parameter: statement_timeout'), { code: '08P01' });
  expect(unusable('postgres://h/b', new StoreUnavailable('away', { cause })).message).toMatch(
    /unsupported startup parameter.*; if PgBouncer is in between.*ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout$/,
  );
});
