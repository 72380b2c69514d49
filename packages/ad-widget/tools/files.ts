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
 * Names of our own that no page sees, and that are asked of no object of the browser: each is as short in every file as
 * its place in this list. A tab that was open when a server was updated loads the new files beside its old script, so
 * names are only added at the end. Everything else keeps its name.
 */
const NAMES = `
  shown view ad wanted half inView near open undraw clock viewed startClock clicked receipts storage reserved
  place schedule failures rotation transport put stored observeAnew counts reaches answered broken busy
  consented crossed enter followed forget line moved opened prefix register requestId resume settle take watch ads emit report`;
const PRIVATE = NAMES.match(/\w+/g) ?? [];

/** `a` to `z`, then `aa` and so on. */
function shortName(place: number): string {
  const letter = String.fromCharCode(97 + (place % 26));
  return place < 26 ? letter : shortName(Math.floor(place / 26) - 1) + letter;
}

const SHORT_NAMES = {
  props: { props: Object.fromEntries(PRIVATE.map((name, place) => [`$${name}`, shortName(place)])) },
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

/** esbuild's minifier and then terser: smaller than either alone. */
async function compile(
  name: string,
  format: NonNullable<MinifyOptions['format']>,
  wrap: (code: string) => string,
): Promise<string> {
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
    mangle: { properties: { regex: new RegExp(`^(${PRIVATE.join('|')})$`), builtins: true } },
    // A copy: what terser adds to it in one file would change the others by the order in which they are made.
    nameCache: structuredClone(SHORT_NAMES),
    format,
  });
  if (!code) throw new Error(`nothing came out of ${name}`);
  return code;
}

/**
 * A function around the modules; not esbuild's 'iife', which would wrap the dynamic imports in its CommonJS shims. In a
 * script of another origin without `crossorigin` they are resolved against nothing: so the folder is written out.
 */
function asClassicScript(code: string): string {
  const base = 'const base=document.currentScript?.src||location.href;';
  return `(()=>{${base}${code.replace(/import\("\.\/([^"]+)"\)/g, 'import(new URL("$1",base))')}})()`;
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

/** All of it runs when a page loads: V8 then compiles it whole, beside the main thread. */
const MAIN = { preamble: '//# allFunctionsCalledOnLoad' };

function make(name: WidgetFileName): Promise<string> {
  if (name === 'broadsheet.css') return compileStyle(SOURCES[name]);
  if (name === 'broadsheet.js') return compile(SOURCES[name], MAIN, asClassicScript);
  return compile(SOURCES[name], {}, (code) => code);
}

/** All that a page loads, by file name, as it is published; made from the sources. */
export async function widgetFiles(): Promise<ReadonlyMap<WidgetFileName, string>> {
  return new Map(await Promise.all(WIDGET_FILES.map(async (name) => [name, await make(name)] as const)));
}
