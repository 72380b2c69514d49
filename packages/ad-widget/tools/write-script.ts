/** Writes what a page loads into `dist`, with the hashes for `integrity="…"`. Fails when it is over its budget. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { scriptFiles } from './script-files.ts';

/** Bytes of brotli: all that the script tag loads in a page without a popup. */
const BUDGET = 5 * 1024;
const dist = new URL('../dist/', import.meta.url);
let loaded = 0;
const integrity: Record<string, string> = {};

mkdirSync(dist, { recursive: true });
for (const [name, code] of await scriptFiles()) {
  writeFileSync(new URL(name, dist), code);
  integrity[name] = `sha384-${createHash('sha384').update(code).digest('base64')}`;
  const packed = brotliCompressSync(code).length;
  console.log(`${name}: ${Buffer.byteLength(code)} bytes, ${packed} brotli`);
  if (/^broadsheet\.(js|css)$/.test(name)) loaded += packed;
}
writeFileSync(new URL('integrity.json', dist), `${JSON.stringify(integrity, undefined, 2)}\n`);
if (loaded > BUDGET) {
  throw new Error(`script and style are ${loaded} bytes of brotli, ${loaded - BUDGET} over their budget of ${BUDGET}`);
}
console.log(`${loaded} of ${BUDGET} bytes of brotli`);
