import { dirname, resolve } from 'node:path';
import { StoreUnavailable } from '@broadsheet/core';
import { isRemote, OperationError } from '@broadsheet/management';
import { hasBarePassword, withoutPassword } from '../settings/database-url.ts';

/** Why a command cannot use its database, with a fix if the error has a known one. */
export function unusable(url: string, error: unknown): OperationError {
  // The message of StoreUnavailable says "for now", because a server tries again; a command does not.
  const cause = error instanceof StoreUnavailable && error.cause !== undefined ? error.cause : error;
  const fix = fixOf(url, codesOf(cause));
  return new OperationError(
    `Cannot use the database ${withoutPassword(url)}: ${reason(cause)}${fix === undefined ? '' : `; ${fix}`}`,
  );
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const own = error.message || (error as NodeJS.ErrnoException).code || error.name;
  return inner instanceof Error && !own.includes(inner.message) ? `${own}: ${reason(inner)}` : own;
}

/**
 * The codes of an error and its causes: of the system, of PostgreSQL, or of SQLite with the prefix `SQLITE`. Errors of
 * TLS have no code, or share one with other errors; they are recognized by their messages.
 */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const codesIn = (messages: Messages) => messages.filter(([, text]) => text.test(error.message)).map(([code]) => code);
  const file = 'syscall' in error && error.syscall === 'open' ? ['FILE'] : [];
  const code = 'code' in error ? [String(error.code)] : [];
  const sqlite = 'errcode' in error ? [`SQLITE ${Number(error.errcode) & 0xff}`] : [];
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return [...codesIn(CLEAR), ...file, ...sqlite, ...code, ...codesIn(VAGUE), ...inner.flatMap(codesOf)];
}

type Messages = readonly (readonly [code: string, text: RegExp])[];

/** Messages that say more than the code of their error. */
const CLEAR: Messages = [
  ['TLS REQUIRED', /no encryption|SSL connection is required|requires (?:an )?SSL|insecure connection/i],
  ['TLS UNSUPPORTED', /does not support SSL/i],
];
/** Messages of errors whose code, if it is known, says more. */
const VAGUE: Messages = [['TLS REFUSED', /certificate|SSL|TLS/]];

function fixOf(url: string, codes: readonly string[]): string | undefined {
  const fixes = fixesOf(url);
  const fix = codes
    .map((code) => fixes.find(([, ...of]) => of.includes(code))?.[0])
    .find((found) => found !== undefined);
  if (!hasBarePassword(url)) return fix;
  const encode = 'in a password, write @ as %40, / as %2F, : as %3A, # as %23, ? as %3F and % as %25';
  return fix === undefined ? encode : `${fix}; ${encode}`;
}

/** Each fix, with the codes of the errors to which it applies. */
type Fixes = readonly (readonly [fix: string, ...codes: readonly string[]])[];

function fixesOf(url: string): Fixes {
  if (url.startsWith('sqlite:')) return fileFixes(url.slice('sqlite:'.length));
  return isRemote(url) ? REMOTE : POSTGRESQL;
}

function fileFixes(path: string): Fixes {
  const inside = dirname(resolve(path));
  return [
    ['another program has locked it; try again when that program is done', 'SQLITE 5'],
    [`this user must be able to write the file and the folder ${inside}`, 'SQLITE 8', 'SQLITE 14'],
    ['free some space on its disk', 'SQLITE 13'],
    ['name another with --database, or restore it from a backup', 'SQLITE 26'],
    [
      `${inside} must be a folder that this user can write to`,
      ...['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOENT', 'ENOTDIR'],
    ],
  ];
}

const REMOTE: Fixes = [
  ['check the URL of the server', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  ['check the URL of the server; on this machine, is "broadsheet serve" or "wrangler dev" running?', 'ECONNREFUSED'],
  [
    'the connection was lost several times: check whether the command was carried out before you run it again; an import can be run again, and sends only what is missing',
    ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
  ],
];

const TLS_PAGE = 'see "TLS to PostgreSQL" in docs/operate.md';

const POSTGRESQL: Fixes = [
  [`it accepts only encrypted connections: add ?sslmode=verify-full to the URL; ${TLS_PAGE}`, 'TLS REQUIRED'],
  [`it has no TLS: remove sslmode from the URL if the network is private, or turn ssl on there`, 'TLS UNSUPPORTED'],
  [
    'its certificate is for another name: use that name as the host in the URL',
    ...['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  ],
  ['renew its certificate, and check the clocks of both machines', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
  [
    `its certificate was not issued by an authority that this machine knows: add &sslrootcert=/path/to/ca.pem to the URL, with the file that the operator of PostgreSQL provides; ${TLS_PAGE}`,
    ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ],
  ['check the paths of sslrootcert, sslcert and sslkey in the URL: this user must be able to read the files', 'FILE'],
  [TLS_PAGE, 'TLS REFUSED', 'EPROTO'],
  ['check the host name in the URL (--database or DATABASE_URL)', 'ENOTFOUND', 'EAI_AGAIN'],
  [
    'is PostgreSQL running there? check host and port in the URL',
    ...['ECONNREFUSED', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  ],
  [
    'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE with one host, which must lead to the primary',
    'ERR_INVALID_URL',
  ],
  [
    'if PgBouncer is in between, use session pooling and add to its pgbouncer.ini: ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout',
    '08P01',
  ],
  ['it is a standby, or default_transaction_read_only is on: connect to the primary, or turn that off', '25006'],
  ['check the user and the password in the URL', '28P01', '28000'],
  ['create it with createdb, or check its name in the URL', '3D000'],
  ['make its user the owner of the database, or grant it CREATE on the schema', '42501'],
  ['end other connections, or raise max_connections', '53300'],
];
