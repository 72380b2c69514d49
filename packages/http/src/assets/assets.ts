import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as zip } from 'node:zlib';
import { WIDGET_FILES, type WidgetFileName, widgetFiles } from '@broadsheet/ad-widget/files';

/** The content encodings, the smallest first, with the extension of the compressed files. */
export const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
export type Encoding = keyof typeof ENCODINGS;

/** A file for browsers, ready to be sent. */
export interface Asset {
  readonly body: string;
  readonly encoded: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>;
  readonly contentType: string;
  /** The first half of its SHA-256 in hex: `?v=` with it never changes. */
  readonly version: string;
}

/** A bundle of a package's module or style sheet with its imports. */
export interface BrowserFile {
  readonly name: string;
  /** The entry point of the bundle; unused after the build. */
  readonly source: URL;
}
/** One of the widget's files, by name, or a file of a site. */
export type AssetFile = WidgetFileName | BrowserFile;

const nameOf = (file: AssetFile): string => (typeof file === 'string' ? file : file.name);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const loaded = new Map<string, Promise<Asset>>();

/** Builds or reads an asset, once. */
export function loadAsset(file: AssetFile): Promise<Asset> {
  const name = nameOf(file);
  const before = loaded.get(name);
  if (before) return before;
  const asset = read(file);
  loaded.set(name, asset);
  asset.catch(() => loaded.delete(name));
  return asset;
}

async function read(file: AssetFile): Promise<Asset> {
  const name = nameOf(file);
  const { body, encoded } = import.meta.url.endsWith('.ts') ? await compressed(file) : await readBuilt(name);
  const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
  return { body, encoded, contentType, version: hash(body) };
}

async function compressed(file: AssetFile) {
  const body = await makeAsset(file);
  return { body, encoded: await compress(body) };
}

async function readBuilt(name: string) {
  const file = (ending: string) => new URL(`./assets/${name}${ending}`, import.meta.url);
  const [body, br, gzip] = await Promise.all([
    readFile(file(''), 'utf8'),
    readFile(file(ENCODINGS.br)),
    readFile(file(ENCODINGS.gzip)),
  ]);
  return { body, encoded: { br, gzip } };
}

/** Uses the highest compression levels, because it runs only once, when the server is built. */
export async function compress(body: string | Uint8Array): Promise<Asset['encoded']> {
  const [br, gzip] = await Promise.all([
    promisify(brotliCompress)(body),
    promisify(zip)(body, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { br, gzip };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

let widget: Promise<string> | undefined;

/**
 * The version of the widget's files as a whole. Below `/broadsheet/<version>/` they never change, including the files
 * that the script loads on demand.
 */
export function widgetVersion(): Promise<string> {
  widget ??= Promise.all(WIDGET_FILES.map(loadAsset)).then((files) => hash(files.map(({ version }) => version).join()));
  return widget;
}

/**
 * Builds a file for browsers from its sources. The widget's own build is used, so that the files equal those that its
 * package publishes. The published server has the files in `dist/assets`.
 */
async function makeAsset(file: AssetFile): Promise<string> {
  if (typeof file !== 'string') return bundle(file.source);
  made ??= widgetFiles();
  const text = (await made).get(file);
  if (text === undefined) throw new Error(`the widget's build made no ${file}`);
  return text;
}

let made: ReturnType<typeof widgetFiles> | undefined;

/** Bundles and minifies a module or style sheet; packages of the workspace are bundled from their sources. */
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

/** Writes the files of the widget and of sites, also compressed, to the folder that a built server reads. */
export async function writeAssets(folder: URL, sites: readonly BrowserFile[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of [...WIDGET_FILES, ...sites]) {
    const { body, encoded } = await compressed(file);
    const target = (ending: string) => new URL(nameOf(file) + ending, folder);
    await writeFile(target(''), body);
    await writeFile(target(ENCODINGS.br), encoded.br);
    await writeFile(target(ENCODINGS.gzip), encoded.gzip);
  }
}
