/** After a build: fails when the script is over its budget, and writes the hashes for `integrity="…"`. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

/** Bytes of brotli: all that the script tag loads in a page without a popup. */
const BUDGET = 5 * 1024;
const dist = new URL('../dist/', import.meta.url);
const files = readdirSync(dist).filter((name) => /^broadsheet.*\.(js|css)$/.test(name));
let loaded = 0;
const integrity: Record<string, string> = {};

for (const name of files) {
  const bytes = readFileSync(new URL(name, dist));
  integrity[name] = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  const packed = brotliCompressSync(bytes).length;
  console.log(`${name}: ${bytes.length} bytes, ${packed} brotli`);
  if (/^broadsheet\.(js|css)$/.test(name)) loaded += packed;
}
if (loaded > BUDGET) {
  throw new Error(`script and style are ${loaded} bytes of brotli, ${loaded - BUDGET} over their budget of ${BUDGET}`);
}
console.log(`${loaded} of ${BUDGET} bytes of brotli`);
writeFileSync(new URL('integrity.json', dist), `${JSON.stringify(integrity, undefined, 2)}\n`);
