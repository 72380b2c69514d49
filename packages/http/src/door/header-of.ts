import type { IncomingMessage } from 'node:http';

/**
 * A header by its name in lower case, or `null`, as `incoming.headers` has it: without making that object of all of
 * them, of which most requests need two.
 */
export function headerOf(incoming: IncomingMessage, name: string): string | null {
  const { rawHeaders } = incoming;
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? '';
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    // What becomes of a header that is sent twice depends on which it is; of two hosts neither can be believed.
    if (found !== undefined && name === 'host') return '';
    if (found !== undefined) return joined(incoming.headers[name]);
    found = rawHeaders[index + 1];
  }
  return found ?? null;
}

const joined = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value) ?? null;
