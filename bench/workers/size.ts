import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { bundleWorker } from '../../tools/testing/workerd.ts';
import type { BenchOptions, Finding } from '../budget.ts';

export const ENTRY = fileURLToPath(new URL('../../packages/server/src/workers.ts', import.meta.url));

/** Kilobytes of the deployed script. */
export async function size({ say }: BenchOptions): Promise<Finding[]> {
  say('size of the Worker');
  const { code } = await transform(await bundleWorker(ENTRY), { minify: true, format: 'esm', target: 'es2022' });
  const note = `${Math.round(code.length / 1024)} KB before gzip; the limit is 3 MB for a free account and 10 MB for a paid one`;
  return [{ id: 'workers.size', ours: gzipSync(code, { level: 9 }).length / 1024, note }];
}
