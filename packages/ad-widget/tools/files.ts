import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import type { MinifyOptions } from 'terser';
import { WIDGET_FILES, type WidgetFileName } from './file-names.ts';

export { WIDGET_FILES, type WidgetFileName };

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url));

/** What each file is made of. */
const SOURCES: Record<WidgetFileName, string> = {
  'broadsheet.css': 'drawing/broadsheet.css',
  'broadsheet.js': 'script.ts',
  'broadsheet-popup.js': 'drawing/popup.ts',
  'broadsheet-consent-platform.js': 'consent/consent-platform.ts',
  'broadsheet-on-demand.js': 'on-demand.ts',
  'broadsheet-rehearsal.js': 'delivery/rehearsal.ts',
  'broadsheet-overlay.js': 'advice/overlay.ts',
};
/**
 * Names of our own that no other file and no page sees, and that are asked of no object of the browser. Everything else
 * keeps its name.
 */
const PRIVATE =
  /^(stored|consented|register|resume|startClock|undraw|inView|half|clock|followed|broken|watch|forget|rotation|line|moved|crossed|settle|observeAnew|put|take|clicked|soon|enter|reaches|backoff|stale|isWaiting|succeeded|answered|resume)$/;

/** A dynamic import names the file beside the script. */
const onDemand: Plugin = {
  name: 'on-demand',
  setup(builder) {
    builder.onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./broadsheet-${basename(path, '.ts')}.js`, external: true } : undefined,
    );
  },
};

/** esbuild's minifier and then terser: smaller than either alone. */
async function compile(name: string, terser: MinifyOptions, wrap: (code: string) => string): Promise<string> {
  const options = {
    entryPoints: [source(name)],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['@broadsheet/source'],
    plugins: [onDemand],
  } as const satisfies BuildOptions;
  // Loaded here: a server built of this file has no compiler, and needs none.
  const [{ build }, { minify }] = await Promise.all([import('esbuild'), import('terser')]);
  const { outputFiles } = await build(options);
  const { code } = await minify(wrap(outputFiles[0]?.text ?? ''), {
    module: true,
    ecma: 2020,
    compress: { passes: 3, pure_getters: true, keep_fargs: false, hoist_funs: true },
    ...terser,
  });
  if (!code) throw new Error(`nothing came out of ${name}`);
  return code;
}

/**
 * A function around the modules; not esbuild's 'iife', which would wrap the dynamic imports in its CommonJS shims. In a
 * script of another origin without `crossorigin` they are resolved against nothing: so the folder is written out.
 */
function asClassicScript(code: string): string {
  const folder = 'const folder=new URL(".",document.currentScript?.src||location);';
  return `(()=>{${folder}${code.replaceAll('import("./', 'import(folder+"')}})()`;
}

async function compileStyle(name: string): Promise<string> {
  const { transform } = await import('esbuild');
  const { code } = await transform(await readFile(source(name), 'utf8'), {
    loader: 'css',
    minify: true,
    target: 'chrome105',
  });
  return code;
}

const MAIN: MinifyOptions = {
  mangle: { properties: { regex: PRIVATE, builtins: true } },
  // All of it runs when a page loads: V8 then compiles it whole, beside the main thread.
  format: { preamble: '//# allFunctionsCalledOnLoad' },
};

function make(name: WidgetFileName): Promise<string> {
  if (name === 'broadsheet.css') return compileStyle(SOURCES[name]);
  if (name === 'broadsheet.js') return compile(SOURCES[name], MAIN, asClassicScript);
  return compile(SOURCES[name], {}, (code) => code);
}

/** All that a page loads, by file name, as it is published; made from the sources. */
export async function widgetFiles(): Promise<ReadonlyMap<WidgetFileName, string>> {
  return new Map(await Promise.all(WIDGET_FILES.map(async (name) => [name, await make(name)] as const)));
}
