import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../packages/store/src/open-database.ts';
import { queryPostgres } from './query-postgres.ts';
import { temporaryRoot } from './temporary-root.ts';
import { waitUntil } from './wait-until.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the socket of a temporary PostgreSQL, or `undefined` if PostgreSQL is not installed. */
    postgres: string | undefined;
  }
}

/** 1.5 times the bytes of its files with 200 databases, including the write-ahead log. */
const ROOM = 4 * 2 ** 30;
/** The name of a database with the tables of Broadsheet, of which tests get copies. */
export const TEMPLATE = 'broadsheet_template';

/** The URL of a database, by the directory of the socket. */
export const postgresUrl = (directory: string, name: string): string =>
  `postgres://postgres@/${name}?host=${encodeURIComponent(directory)}`;

/** Starts a PostgreSQL for the tests. Its data is removed when the test process ends, even by a signal. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const bin = findBinaries();
  if (!bin) {
    const message = 'PostgreSQL is not installed: its tests are not run';
    if (process.env['REQUIRE_POSTGRES']) throw new Error(message);
    console.warn(`\n*** SKIPPED: ${message} ***\n`);
    project.provide('postgres', undefined);
    return undefined;
  }
  const directory = mkdtempSync(join(temporaryRoot(ROOM), 'broadsheet-postgres-'));
  const owner = process.getuid?.() === 0 ? ownerNamed('postgres') : undefined;
  if (owner) chownSync(directory, owner.uid, owner.gid);
  chmodSync(directory, 0o700);
  // The shell waits on its stdin, which closes with this process: kill -9 leaves neither server nor data behind.
  const script = `
    "${bin}/initdb" -D data -U postgres -A trust -N --locale=C --encoding=UTF8 >log 2>&1 || exit 1
    "${bin}/postgres" -D data -k "$PWD" -h '' -F -c max_connections=200 \\
      -c autovacuum=off -c full_page_writes=off -c jit=off >>log 2>&1 &
    server=$!
    cat >/dev/null
    # The shell starts the server with INT ignored, so until the server sets its own handlers, only TERM stops it.
    kill -TERM $server; kill -INT $server; wait $server
    # Nothing has to wait until a gigabyte of small files is removed.
    cd /; rm -rf "${directory}" &`;
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: directory,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    ...owner,
  });
  await waitUntil(
    `PostgreSQL starts; see ${directory}/log`,
    () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start; see ${directory}/log`);
      const create = `create database ${TEMPLATE} template template0`;
      return queryPostgres(postgresUrl(directory, 'postgres'), create).then(
        () => true,
        () => false,
      );
    },
    120_000,
  );
  await (await openDatabase(postgresUrl(directory, TEMPLATE))).close();
  project.provide('postgres', directory);
  return async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
}

/** The directory of the newest installed PostgreSQL's programs. */
export function findBinaries(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const newest = readdirSync(root).sort((a, b) => Number(b) - Number(a))[0];
  const bin = `${root}/${newest}/bin`;
  return existsSync(`${bin}/initdb`) ? bin : undefined;
}

/** The ids of the system user that runs PostgreSQL, which refuses to run as root. */
export function ownerNamed(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  if (!line) throw new Error(`the tests run as root and there is no user ${name} to start PostgreSQL as`);
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
