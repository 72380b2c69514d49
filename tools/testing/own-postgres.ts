import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findBinaries, ownerNamed } from './postgres.ts';

/** A PostgreSQL for one test, which may stop it. */
export interface OwnPostgres {
  readonly url: string;
  /** Stops it immediately, as a crash does. Resolves when its process has exited. */
  crash(): Promise<void>;
  /** Starts it again. It needs a moment to recover before it responds. */
  start(): Promise<void>;
  /** Suspends it: connections stay open, but nothing responds. */
  freeze(): Promise<void>;
  /** Resumes it. */
  thaw(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Creates and starts a PostgreSQL with fsync. Its data is removed when the test process ends, even by a signal. */
export async function startPostgres(): Promise<OwnPostgres> {
  const bin = findBinaries();
  if (!bin) throw new Error('PostgreSQL is not installed: skip this test');
  const directory = mkdtempSync(join(tmpdir(), 'broadsheet-own-postgres-'));
  const owner = process.getuid?.() === 0 ? ownerNamed('postgres') : undefined;
  if (owner) chownSync(directory, owner.uid, owner.gid);
  chmodSync(directory, 0o700);
  // The shell reads one command per line and echoes each when it is done. When its stdin ends, it cleans up.
  const script = `
    start() { "${bin}/postgres" -D data -k "$PWD" -h '' >>log 2>&1 & server=$!; }
    crash() { kill -QUIT $server; wait $server; }
    everyone() { echo $server; cat /proc/$server/task/$server/children; }
    freeze() { kill -STOP $(everyone); }
    thaw() { kill -CONT $(everyone); }
    "${bin}/initdb" -D data -U postgres -A trust -N --locale=C --encoding=UTF8 >log 2>&1 || exit 1
    echo made
    while read -r order; do $order; echo $order; done
    crash; cd /; rm -rf "${directory}"`;
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    ...owner,
  });
  const closed = once(child, 'close');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const confirmed = async (order: string) => {
    const { value } = await lines.next();
    if (value !== order) throw new Error(`PostgreSQL: ${order} failed; see ${directory}/log`);
  };
  const give = (order: string) => {
    child.stdin.write(`${order}\n`);
    return confirmed(order);
  };
  await confirmed('made');
  await give('start');
  return {
    url: `postgres://postgres@${encodeURIComponent(directory)}/postgres`,
    crash: () => give('crash'),
    start: () => give('start'),
    freeze: () => give('freeze'),
    thaw: () => give('thaw'),
    async remove() {
      child.stdin.end();
      await closed;
    },
  };
}
