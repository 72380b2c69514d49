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

const failed = (message: string, code?: string, more: object = {}) =>
  unusable('postgres://h/b', Object.assign(new Error(message), code && { code }, more)).message;

it.each([
  [
    'no pg_hba.conf entry for host "1.2.3.4", user "u", database "b", no encryption',
    '28000',
    /add \?sslmode=verify-full/,
  ],
  ['The server does not support SSL connections', undefined, /; it has no TLS: remove sslmode/],
  ['self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN', /; its certificate was .*sslrootcert/],
  ['unable to verify the first certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /sslrootcert/],
  ['certificate has expired', 'CERT_HAS_EXPIRED', /; renew its certificate/],
  [
    "Hostname/IP does not match certificate's altnames",
    'ERR_TLS_CERT_ALTNAME_INVALID',
    /; its certificate is for another/,
  ],
  ['write EPROTO error:0A000410:SSL routines::ssl/tls alert handshake failure', 'EPROTO', /; see "TLS to PostgreSQL"/],
])('the error of TLS "%s" is reported with its fix', (message, code, fix) => {
  expect(failed(message, code)).toMatch(fix);
  expect(failed(message, code)).not.toMatch(/password|host and port/);
});

it('a missing CA file is not taken for a server that is away', () => {
  const message = "ENOENT: no such file or directory, open '/ca.pem'";
  expect(failed(message, 'ENOENT', { syscall: 'open' })).toContain('check the paths of sslrootcert');
  expect(failed('connect ENOENT /run/.s.PGSQL.5432', 'ENOENT', { syscall: 'connect' })).toContain(
    'is PostgreSQL running',
  );
});
