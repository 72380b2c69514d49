import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * The directory for temporary files: in memory if there is room, because databases wait for the disk.
 *
 * @param room bytes that must be free
 */
export function temporaryRoot(room: number): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > room ? memory : tmpdir();
}
