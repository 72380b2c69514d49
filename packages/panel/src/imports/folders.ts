import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

const NAME = /^broadsheet-import-(\d+)-(\d+)-/;

/** Makes a folder for what an import unpacks, named by the process and the thread that will remove it. */
export const makeImportFolder = (): Promise<string> =>
  mkdtemp(join(tmpdir(), `broadsheet-import-${process.pid}-${threadId}-`));

/** Removes the folders of threads that ended in the middle of an import: of killed processes, and of one of this. */
export async function removeAbandonedFolders(endedThread?: number): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, thread] = NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const isAbandoned = Number(pid) === process.pid ? Number(thread) === endedThread : !isRunning(Number(pid));
    if (isAbandoned) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Without permission to signal it, it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
