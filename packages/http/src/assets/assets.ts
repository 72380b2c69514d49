import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as zip } from 'node:zlib';
import { WIDGET_FILES, type WidgetFileName, widgetFiles } from '@broadsheet/ad-widget/files';

/** How a file is sent smaller, the smallest first, and the ending of the file that lies ready for it. */
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

/** A file that a package makes of a module or a style sheet of its own, with everything that imports. */
export interface BrowserFile {
  readonly name: string;
  /** Where it is made from; of no use once it is built. */
  readonly source: URL;
}
/** One of the widget's files by its name, or one of a site. */
export type AssetFile = WidgetFileName | BrowserFile;

const nameOf = (file: AssetFile): string => (typeof file === 'string' ? file : file.name);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const loaded = new Map<string, Promise<Asset>>();

/** The asset, made or read once. */
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

/** As small as it gets: done once, when the server is built. */
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
 * The version of the widget's files together. Below `/broadsheet/<version>/` they never change, those that the script
 * loads on demand included.
 */
export function widgetVersion(): Promise<string> {
  widget ??= Promise.all(WIDGET_FILES.map(loadAsset)).then((files) => hash(files.map(({ version }) => version).join()));
  return widget;
}

/**
 * A file for browsers from its sources: the widget's by its own build, so that it is the one its package publishes. In
 * the published server they lie ready in `dist/assets`.
 */
async function makeAsset(file: AssetFile): Promise<string> {
  if (typeof file !== 'string') return bundle(file.source);
  made ??= widgetFiles();
  const text = (await made).get(file);
  if (text === undefined) throw new Error(`the widget's build made no ${file}`);
  return text;
}

let made: ReturnType<typeof widgetFiles> | undefined;

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

/** Writes the widget's files and those of sites, and their smaller forms, to where a built server reads them from. */
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
