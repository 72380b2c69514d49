import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Kilobytes, minified and gzipped, of what a page loads before it runs a program: its entry and every chunk that is
 * imported statically. Chunks behind `import()` are not counted: they are loaded when a call fails. Without `splitting`
 * everything is in one file.
 */
export async function initialSize(
  contents: string,
  resolveDir: string,
  conditions: string[] = [],
  splitting = true,
): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    splitting,
    outdir: 'out',
    absWorkingDir: resolveDir,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions,
    logLevel: 'silent',
  });
  const names = Object.keys(metafile.outputs);
  const wanted = new Set(names.filter((name) => metafile.outputs[name]?.entryPoint === '<stdin>'));
  for (const name of wanted) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement') wanted.add(path);
  }
  return (
    outputFiles
      .filter(({ path }) => [...wanted].some((name) => path.replaceAll('\\', '/').endsWith(name)))
      .reduce((sum, { contents: bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0) / 1000
  );
}
