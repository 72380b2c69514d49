import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { lazyFiles } from '../../tsup.config.ts';

const root = `${import.meta.dirname}/../..`;

/** A page whose API is the mock behind MSW's worker. */
export const WORKING_PAGE = `import { createMock } from '@broadsheet/mock-server';
  import { setupWorker } from 'msw/browser';
  await setupWorker(...createMock().handlers()).start();`;

/** A page with every export of the main entry point. */
export const WHOLE_DOOR = `export * from '@broadsheet/mock-server';`;

/** The part of the mock that a page loads before it runs, without MSW itself. */
export interface PageSize {
  /** Kilobytes (1,000 bytes), minified and gzipped. */
  readonly kilobytes: number;
  /** The modules in it, the largest first, each with its minified bytes. */
  readonly modules: readonly { readonly name: string; readonly bytes: number }[];
  /** The files that are loaded on first use. */
  readonly later: readonly string[];
}

/** Bundles a program for browsers with the packed mock, without MSW, and measures the first file. */
export async function pageSize(contents: string): Promise<PageSize> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@broadsheet/source', 'browser', 'module'],
    external: ['msw', 'msw/*', 'node:*'],
    plugins: [lazyFiles],
  });
  const [output] = Object.values(metafile.outputs);
  const modules = Object.entries(output?.inputs ?? {}).map(([name, { bytesInOutput }]) => ({
    name,
    bytes: bytesInOutput,
  }));
  return {
    kilobytes: gzipSync(outputFiles[0]?.contents ?? '').length / 1000,
    modules: modules.sort((a, b) => b.bytes - a.bytes),
    later: [...new Set(output?.imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path))],
  };
}
