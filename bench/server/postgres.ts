import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries, ownerNamed } from '../../tools/testing/postgres.ts';
import { waitUntil } from '../../tools/testing/wait-until.ts';

/** A running PostgreSQL for the bench. */
export interface BenchPostgres {
  /** The URL of one of its databases. */
  url(database: string): string;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL whose data is stored in a folder between runs. The bench does not measure its
 * durability, so fsync is off. Its locale is the one that the guide for operators recommends.
 *
 * @throws Error with the reason if it cannot be started
 */
export async function startPostgres(data: string): Promise<BenchPostgres> {
  const bin = findBinaries();
  if (!bin) throw new Error('PostgreSQL is not installed (looked for /usr/lib/postgresql/*/bin)');
  const owner = process.getuid?.() === 0 ? ownerNamed('postgres') : undefined;
  mkdirSync(data, { recursive: true });
  const sockets = mkdtempSync(join(tmpdir(), 'broadsheet-bench-'));
  for (const directory of [data, sockets]) {
    if (owner) chownSync(directory, owner.uid, owner.gid);
    chmodSync(directory, 0o700);
  }
  // A subshell waits for stdin, which closes with this process, so that the server never outlives the bench.
  const script = `
    [ -f PG_VERSION ] || "${bin}/initdb" -D . -U postgres -A trust -N --locale=C.UTF-8 --encoding=UTF8 >&2 || exit 1
    "${bin}/postgres" -D . -k "${sockets}" -h '' -F -c shared_buffers=1GB -c max_wal_size=8GB >&2 &
    server=$!
    exec 3<&0
    (cat <&3 >/dev/null; kill -INT $server 2>/dev/null) &
    wait $server`;
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: data,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    ...owner,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const stop = async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(sockets, { recursive: true, force: true });
  };
  await waitUntil('PostgreSQL accepts connections', async () => {
    if (child.exitCode === null) return said.includes('ready to accept connections');
    await stop();
    throw new Error(`PostgreSQL did not start: ${said.trim().slice(-300)}`);
  });
  if (!existsSync(join(sockets, '.s.PGSQL.5432'))) throw new Error('PostgreSQL created no socket');
  return { url: (database) => `postgres://postgres@/${database}?host=${encodeURIComponent(sockets)}`, stop };
}
