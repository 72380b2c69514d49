/** After a build: fails when the script is over its budget, and writes the hashes for `integrity="…"`. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

/** Bytes of brotli: all that the script tag loads in a page without a popup. */
const BUDGET = 5 * 1024;
const dist = new URL('../dist/', import.meta.url);
const files = readdirSync(dist).filter((name) => /^broadsheet.*\.(js|css)$/.test(name));
const integrity: Record<string, string> = {};

for (const name of files) {
  const bytes = readFileSync(new URL(name, dist));
  integrity[name] = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  const packed = brotliCompressSync(bytes).length;
  console.log(`${name}: ${bytes.length} bytes, ${packed} brotli`);
  if (name === 'broadsheet.js' && packed > BUDGET) {
    throw new Error(`broadsheet.js is ${packed} bytes of brotli, ${packed - BUDGET} over its budget of ${BUDGET}`);
  }
}
writeFileSync(new URL('integrity.json', dist), `${JSON.stringify(integrity, undefined, 2)}\n`);
