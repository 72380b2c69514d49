import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildResult, Plugin } from 'esbuild';
import type { MinifyOptions } from 'terser';
import { WIDGET_FILES, type WidgetFileName } from './file-names.ts';

export { WIDGET_FILES, type WidgetFileName };

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url));

/** The cache of minified code. */
const MINIFIED = new URL('../node_modules/.cache/minified/', import.meta.url);
/** The sources of each file. */
const SOURCES: Record<WidgetFileName, string> = {
  'broadsheet.css': 'drawing/broadsheet.css',
  'broadsheet.js': 'script.ts',
  'broadsheet-reach.js': 'slots/reach.ts',
  'broadsheet-popup.js': 'drawing/popup.ts',
  'broadsheet-consent-platform.js': 'consent/consent-platform.ts',
  'broadsheet-on-demand.js': 'on-demand.ts',
  'broadsheet-rehearsal.js': 'delivery/rehearsal.ts',
  'broadsheet-overlay.js': 'advice/overlay.ts',
};
/** A dynamic import names the file beside the script. */
const onDemand: Plugin = {
  name: 'on-demand',
  setup(builder) {
    builder.onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./broadsheet-${basename(path, '.ts')}.js`, external: true } : undefined,
    );
  },
};

/** Bundles a file. Imports its compilers only here: a server that is built from this file contains and needs none. */
async function bundle(name: string): Promise<BuildResult<{ write: false; metafile: true }>> {
  const { build } = await import('esbuild');
  return build({
    entryPoints: [source(name)],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['@broadsheet/source'],
    plugins: [onDemand],
  });
}

let version: Promise<string> | undefined;

/**
 * The version of the files as a whole, which work only together. It is made from their code, so that the files of two
 * builds never run together, even if nobody has raised the version of the package.
 */
function versionOfFiles(): Promise<string> {
  version ??= Promise.all(WIDGET_FILES.map((name) => bundle(SOURCES[name]))).then((bundles) => {
    const hash = createHash('sha256');
    for (const { outputFiles } of bundles) hash.update(outputFiles[0]?.text ?? '');
    return hash.digest('hex').slice(0, 16);
  });
  return version;
}

/** Terser minifies: its result is 250 bytes of brotli smaller than the result of esbuild's own minifier. */
async function compile(
  name: string,
  format: NonNullable<MinifyOptions['format']>,
  wrap: (code: string) => string,
): Promise<string> {
  const { outputFiles } = await bundle(name);
  const options: MinifyOptions = {
    module: true,
    ecma: 2020,
    compress: { passes: 2, unsafe: true, unsafe_arrows: true, keep_fargs: false },
    format,
  };
  return minifyOnce(wrap(outputFiles[0]?.text ?? ''), options);
}

/** Minifies code that no process has minified before: it takes seconds, and servers from source need it at each start. */
async function minifyOnce(source: string, options: MinifyOptions): Promise<string> {
  const { default: terser } = await import('terser/package.json', { with: { type: 'json' } });
  const key = JSON.stringify([terser.version, options, source]);
  const file = new URL(`${createHash('sha256').update(key).digest('hex')}.js`, MINIFIED);
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before !== undefined) return before;
  const { minify } = await import('terser');
  const { code } = await minify(source, options);
  if (!code) throw new Error('terser returned no code');
  await mkdir(MINIFIED, { recursive: true });
  // Written in one step, because other processes read it.
  const unfinished = new URL(randomUUID(), MINIFIED);
  await writeFile(unfinished, code);
  await rename(unfinished, file);
  return code;
}

/** The modules that take most of the script, by path, with their bytes before minification. */
export async function largestModules(count = 5): Promise<[path: string, bytes: number][]> {
  const { metafile } = await bundle(SOURCES['broadsheet.js']);
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {})
    .map(([path, { bytesInOutput }]): [string, number] => [path, bytesInOutput])
    .sort(([, one], [, other]) => other - one)
    .slice(0, count);
}

/** What a file on demand says about itself. The script refuses a file that says something else. */
const withVersion =
  (version: string) =>
  (code: string): string =>
    `${code}\nexport const version = "${version}";`;

/**
 * A function around the modules; not esbuild's 'iife', which would wrap the dynamic imports in its CommonJS shims. In a
 * script of another origin without `crossorigin` they have no base URL, so the script's `src` is the base.
 *
 * Chromium never imports a file again after a failed import (https://github.com/whatwg/html/issues/6768), so the next
 * attempt for that file has another URL. An import map pins files by URL: where the tag is pinned, the URL stays.
 *
 * The URL names the version, so that no cache and no server gives the script a file of another version. A server that
 * ignores it may, for instance while its files are replaced: the script refuses the file, and tries again later.
 */
const asClassicScript =
  (version: string) =>
  (code: string): string => {
    const load = `const{src,integrity}=document.currentScript??{},urls={};
const load=(name)=>import(urls[name]??=new URL("broadsheet-"+name+".js"+(integrity?"":"?v=${version}"),src)).then((file)=>{if(file.version==="${version}")return file;console.warn("broadsheet: "+urls[name]+" is of another version than the script; reload the page");throw 0}).catch((cause)=>{if(!integrity)urls[name]+="&";throw cause});`;
    return `(()=>{${load}${code.replace(/import\("\.\/broadsheet-([^"]+)\.js"\)/g, 'load("$1")')}})()`;
  };

async function compileStyle(name: string): Promise<string> {
  const { transform } = await import('esbuild');
  const { code } = await transform(await readFile(source(name), 'utf8'), {
    loader: 'css',
    minify: true,
    target: 'chrome105',
  });
  return code;
}

/** Everything runs when a page loads, so V8 should compile it eagerly: https://v8.dev/blog/explicit-compile-hints */
const MAIN = { preamble: '//# allFunctionsCalledOnLoad' };

async function make(name: WidgetFileName): Promise<string> {
  if (name === 'broadsheet.css') return compileStyle(SOURCES[name]);
  const version = await versionOfFiles();
  if (name === 'broadsheet.js') return compile(SOURCES[name], MAIN, asClassicScript(version));
  return compile(SOURCES[name], {}, withVersion(version));
}

/** All files that a page loads, by name, as they are published; built from the sources. */
export async function widgetFiles(): Promise<ReadonlyMap<WidgetFileName, string>> {
  return new Map(await Promise.all(WIDGET_FILES.map(async (name) => [name, await make(name)] as const)));
}
