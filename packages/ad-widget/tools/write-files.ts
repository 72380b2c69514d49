/**
 * Writes the files that a page loads into `dist`, uncompressed and compressed, with hashes for `integrity="…"`. Fails
 * over its budget.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { largestModules, widgetFiles } from './files.ts';

/** Share of the budget above which the build warns. */
const NEAR = 0.98;
const dist = new URL('../dist/', import.meta.url);
const integrity: Record<string, string> = {};
let loaded = 0;

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

const budgets: { id: string; budget: number }[] = JSON.parse(
  readFileSync(new URL('../../../bench/budgets.json', import.meta.url), 'utf8'),
);
const budget = budgets.find(({ id }) => id === 'widget.size')?.budget ?? 0;
const used = `script and style: ${loaded} of ${budget} bytes of brotli, ${Math.abs(budget - loaded)}`;
if (loaded > budget * NEAR) {
  const modules = (await largestModules()).map(([path, bytes]) => `  ${path}: ${bytes} bytes`);
  console.warn(`Largest modules, before minification:\n${modules.join('\n')}`);
}
if (loaded > budget) throw new Error(`${used} over budget`);
console.log(`${used} left`);
