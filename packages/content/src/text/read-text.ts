import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { failedRead, type Read } from '../problem.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a file as UTF-8 text, without its byte order mark. `at` is the file's name in problems. */
export async function readText(path: string, at: string): Promise<Read<string>> {
  try {
    return decodeText(await readFile(path), at);
  } catch (error) {
    return failedRead(at, whyUnreadable(error));
  }
}

/** Decodes the bytes of a file as {@link readText} does. */
export function decodeText(bytes: Uint8Array, at: string): Read<string> {
  if (isUtf16(bytes)) return failedRead(at, 'is UTF-16 text; save it as UTF-8');
  try {
    return { ok: true, value: utf8.decode(bytes) };
  } catch (error) {
    if (codeOf(error) === TOO_LONG) return failedRead(at, whyUnreadable(error));
    if (bytes.includes(0)) return failedRead(at, `is not a text file; choose ${READABLE}`);
    return failedRead(at, `is not UTF-8 text (line ${firstBadLine(bytes)}); save it as UTF-8`);
  }
}

const READABLE = 'a snapshot, a Ghost export, or a folder of Markdown';
const TOO_LONG = 'ERR_STRING_TOO_LONG';
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Says why the file system refused a path. */
export function whyUnreadable(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist; check the path';
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read; check its permissions';
  if (code === 'ERR_FS_FILE_TOO_LARGE' || code === TOO_LONG) {
    return 'is larger than the 512 MB that can be read at once; split its posts into several files and import them one after the other, or move the whole database with "broadsheet copy"';
  }
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** The first line that is not UTF-8. Splitting at line feeds is safe: no multi-byte UTF-8 sequence contains one. */
function firstBadLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; ; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}
