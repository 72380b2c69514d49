import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A file for browsers, ready to be sent. */
export interface Asset {
  readonly body: string;
  readonly contentType: string;
  /** The first half of its SHA-256 in hex: `?v=` with it may be kept for ever. */
  readonly version: string;
}

/** The widget: a script and a style sheet, and what the script loads when a page needs it. */
export const WIDGET_FILES = [
  'broadsheet.js',
  'broadsheet.css',
  'broadsheet-popup.js',
  'broadsheet-consent-platform.js',
  'broadsheet-advice.js',
  'broadsheet-rehearsal.js',
  'broadsheet-overlay.js',
] as const;
/** The demo's own, with the source each is made from, as seen from this folder. */
const DEMO_FILES = {
  'demo.js': '../../../demo/src/site/main.ts',
  'demo.css': '../../../demo/src/site/css/site.css',
} as const;
export type AssetName = (typeof WIDGET_FILES)[number] | keyof typeof DEMO_FILES;

export const ASSET_NAMES: readonly AssetName[] = [...WIDGET_FILES, 'demo.js', 'demo.css'];

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const loaded = new Map<AssetName, Promise<Asset>>();

/** The asset, made or read once. */
export function loadAsset(name: AssetName): Promise<Asset> {
  const before = loaded.get(name);
  if (before) return before;
  const asset = read(name);
  loaded.set(name, asset);
  asset.catch(() => loaded.delete(name));
  return asset;
}

async function read(name: AssetName): Promise<Asset> {
  const fromSource = import.meta.url.endsWith('.ts');
  const body = fromSource
    ? await makeAsset(name)
    : await readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8');
  const version = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return { body, contentType: CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain', version };
}

/**
 * A file for browsers from its sources: the widget's by its own build, so that it is the one its package publishes. In
 * the published server they lie ready in `dist/assets`.
 *
 * @param here The address of this file; a build that has it inside another file says which.
 */
export async function makeAsset(name: AssetName, here: string | URL = import.meta.url): Promise<string> {
  if (name === 'demo.js' || name === 'demo.css') return bundle(new URL(DEMO_FILES[name], here));
  made ??= widgetFiles(here);
  const file = (await made).get(name);
  if (file === undefined) throw new Error(`the widget's build made no ${name}`);
  return file;
}

type WidgetFiles = ReadonlyMap<string, string>;
let made: Promise<WidgetFiles> | undefined;

async function widgetFiles(here: string | URL): Promise<WidgetFiles> {
  const build = new URL('../../../ad-widget/tools/script-files.ts', here);
  const { scriptFiles }: { scriptFiles(): Promise<WidgetFiles> } = await import(build.href);
  return scriptFiles();
}

/** A module or style sheet with everything it imports as one small file, the workspace's packages from their sources. */
async function bundle(entry: URL): Promise<string> {
  const { build } = await import('esbuild');
  const result = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    platform: 'browser',
    conditions: ['@broadsheet/source'],
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
}
