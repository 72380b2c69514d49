import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = `${import.meta.dirname}/../..`;

/** A page whose API is the mock behind MSW's worker. */
export const WORKING_PAGE = `import { createMock } from '@broadsheet/mock-server';
  import { setupWorker } from 'msw/browser';
  await setupWorker(...createMock().handlers()).start();`;

/** The same with everything that the main door has. */
export const WHOLE_DOOR = `export * from '@broadsheet/mock-server';`;

/** What a page loads of the mock before it runs, without MSW itself. */
export interface PageSize {
  /** Kilobytes (1,000 bytes), minified, each file gzipped for itself. */
  readonly kilobytes: number;
  /** The modules in it, the largest first, each with its minified bytes. */
  readonly modules: readonly { readonly name: string; readonly bytes: number }[];
  /** What is loaded later, by who asks for it: the modules that start each file. */
  readonly later: readonly string[];
}

/** Bundles a program for browsers with MSW left out, and weighs its first file with all that it imports statically. */
export async function pageSize(contents: string): Promise<PageSize> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    splitting: true,
    minify: true,
    outdir: 'out',
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@broadsheet/source', 'browser', 'module'],
    external: ['msw', 'msw/*', 'node:*'],
  });
  const outputs = Object.entries(metafile.outputs);
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: next, kind, external } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && !external) load(next);
    }
  };
  for (const [path, { entryPoint }] of outputs) if (entryPoint === '<stdin>') load(path);
  const bytes = outputFiles
    .filter(({ path }) => [...loaded].some((name) => path.endsWith(name)))
    .reduce((sum, file) => sum + gzipSync(file.contents).length, 0);
  return {
    kilobytes: bytes / 1000,
    modules: [...loaded]
      .flatMap((path) => Object.entries(metafile.outputs[path]?.inputs ?? {}))
      .map(([name, { bytesInOutput: bytes }]) => ({ name, bytes }))
      .sort((a, b) => b.bytes - a.bytes),
    later: outputs.flatMap(([, { entryPoint }]) => (entryPoint && entryPoint !== '<stdin>' ? [entryPoint] : [])),
  };
}
