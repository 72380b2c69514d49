import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { type MinifyOptions, minify } from 'terser';

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url));

/** Loaded when a page needs them; beside broadsheet.js under these names. */
const ON_DEMAND = [
  'drawing/popup.ts',
  'consent/consent-platform.ts',
  'advice/advice.ts',
  'delivery/rehearsal.ts',
  'advice/overlay.ts',
];
/**
 * Names of our own that no other file and no page sees, and that are asked of no object of the browser. Everything else
 * keeps its name.
 */
const PRIVATE =
  /^(schedule|stored|consented|receipts|register|resume|startClock|undraw|inView|half|clock|followed|broken|watch|forget|rotation|pending|line|came|left|settle|fill|fail|emit|want|counts|put|take|clicked|soon|enter)$/;

const publishedName = (path: string): string => `broadsheet-${basename(path, '.ts')}.js`;

/** A dynamic import names the file beside the script. */
const onDemand: Plugin = {
  name: 'on-demand',
  setup(builder) {
    builder.onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${publishedName(path)}`, external: true } : undefined,
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

/** All that a page loads by script tag and style sheet, by file name, as it is published. */
export async function scriptFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const css = await transform(await readFile(source('drawing/broadsheet.css'), 'utf8'), {
    loader: 'css',
    minify: true,
    target: 'chrome105',
  });
  files.set('broadsheet.css', css.code);
  const main: MinifyOptions = {
    mangle: { properties: { regex: PRIVATE, builtins: true } },
    // All of it runs when a page loads: V8 then compiles it whole, beside the main thread.
    format: { preamble: '//# allFunctionsCalledOnLoad' },
  };
  files.set('broadsheet.js', await compile('script.ts', main, asClassicScript));
  for (const path of ON_DEMAND) files.set(publishedName(path), await compile(path, {}, (code) => code));
  return files;
}
