import { posix } from 'node:path';
import { OperationError } from '@broadsheet/management';
import { type UnzipFileInfo, unzipSync } from 'fflate';

/** The maximum number of bytes that a zip may expand to, and the maximum number of files in it. */
export const MOST_BYTES = 128 * 1024 * 1024;
export const MOST_FILES = 20_000;

/** The name of an upload: the name of the file or of the folder. */
export function nameOf([file]: readonly File[]): string {
  return file?.name.split('/')[0] ?? '';
}

/**
 * The uploaded files, or the files in an uploaded zip, by their paths. A path that leaves its folder is moved into it.
 *
 * @throws OperationError
 */
export async function unpack(files: readonly File[]): Promise<Map<string, Uint8Array>> {
  const [file] = files;
  if (!file?.name) throw new OperationError('No file was uploaded: choose a file or a folder.');
  const sent = await Promise.all(files.map(async (one) => [one.name, await one.bytes()] as const));
  const [[, bytes] = []] = sent;
  // The first bytes of every zip, including an empty one.
  const isZip = files.length === 1 && bytes?.[0] === 0x50 && bytes[1] === 0x4b;
  const unpacked = isZip ? filesOf(bytes) : sent;
  return new Map(unpacked.map(([name, body]) => [posix.join('/', name).slice(1), body]));
}

/** The files of a zip. The sizes that the zip declares are checked before any file is expanded. */
function filesOf(bytes: Uint8Array): [name: string, body: Uint8Array][] {
  let [count, total] = [0, 0];
  // Entries may overlap, and an uncompressed entry expands to its stored size, regardless of the declared size.
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
