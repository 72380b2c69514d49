/** Writes what a page loads into `dist`, compressed too, with the hashes for `integrity="…"`. Fails when it is over its budget. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { widgetFiles } from './files.ts';

/** Bytes of brotli: all that the script tag loads in a page with banners. */
const BUDGET = 5.75 * 1024;
const dist = new URL('../dist/', import.meta.url);
let loaded = 0;
const integrity: Record<string, string> = {};

mkdirSync(dist, { recursive: true });
for (const [name, code] of await widgetFiles()) {
  const packed = brotliCompressSync(code);
  writeFileSync(new URL(name, dist), code);
  writeFileSync(new URL(`${name}.br`, dist), packed);
  writeFileSync(new URL(`${name}.gz`, dist), gzipSync(code, { level: constants.Z_BEST_COMPRESSION }));
  integrity[name] = `sha384-${createHash('sha384').update(code).digest('base64')}`;
  console.log(`${name}: ${Buffer.byteLength(code)} bytes, ${packed.length} brotli`);
  if (/^broadsheet\.(js|css)$/.test(name)) loaded += packed.length;
}
writeFileSync(new URL('integrity.json', dist), `${JSON.stringify(integrity, undefined, 2)}\n`);
if (loaded > BUDGET) {
  throw new Error(`script and style are ${loaded} bytes of brotli, ${loaded - BUDGET} over their budget of ${BUDGET}`);
}
console.log(`${loaded} of ${BUDGET} bytes of brotli`);
