import { posix } from 'node:path';
import { OperationError } from '@broadsheet/management';
import { type UnzipFileInfo, unzipSync } from 'fflate';

/** Bytes that anything compressed may expand to, and files in a zip. */
export const MOST_BYTES = 128 * 1024 * 1024;
export const MOST_FILES = 20_000;

/** The name of an upload: that of the file, or of the folder. */
export function nameOf([file]: readonly File[]): string {
  return file?.name.split('/')[0] ?? '';
}

/**
 * The files that were sent, or that a zip holds, by their paths. A path that leads outside its folder begins at the folder.
 *
 * @throws OperationError
 */
export async function unpack(files: readonly File[]): Promise<Map<string, Uint8Array>> {
  const [file] = files;
  if (!file?.name) throw new OperationError('No file was uploaded: choose a file or a folder.');
  const sent = await Promise.all(files.map(async (one) => [one.name, await one.bytes()] as const));
  const [[, bytes] = []] = sent;
  // Every zip begins so, an empty one included.
  const isZip = files.length === 1 && bytes?.[0] === 0x50 && bytes[1] === 0x4b;
  const unpacked = isZip ? filesOf(bytes) : sent;
  return new Map(unpacked.map(([name, body]) => [posix.join('/', name).slice(1), body]));
}

/** The files of a zip. What they expand to is bounded by what the zip says of them, before any is expanded. */
function filesOf(bytes: Uint8Array): [name: string, body: Uint8Array][] {
  let [count, total] = [0, 0];
  // An entry that is not compressed has the size of its bytes, whatever it claims: entries may overlap.
  expand(bytes, ({ size, originalSize }) => {
    count += 1;
    total += Math.max(size, originalSize);
    if (count > MOST_FILES) throw new OperationError('The zip has more than 20,000 files.');
    if (total > MOST_BYTES) throw new OperationError('The zip expands to more than 128 MiB.');
    return false;
  });
  if (count === 0) throw new OperationError('The zip contains no files.');
  return Object.entries(expand(bytes, ({ name }) => !name.endsWith('/')));
}

function expand(bytes: Uint8Array, filter: (file: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw new OperationError(`The zip is damaged: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
