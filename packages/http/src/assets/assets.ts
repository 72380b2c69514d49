import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as zip } from 'node:zlib';
import { WIDGET_FILES, type WidgetFileName, widgetFiles } from '@broadsheet/ad-widget/files';
import { ApiError, CORS, matchesTag } from '@broadsheet/core';

/** The content encodings, the smallest first, with the extension of the compressed files. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS;

/** A file for browsers, ready to be sent. */
interface Asset {
  readonly body: string;
  readonly encoded: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>;
  readonly contentType: string;
  /** The first half of its SHA-256 in hexadecimal: the content of a URL with it in `?v=` never changes. */
  readonly version: string;
}

/** A bundle of a package's module or style sheet with its imports. */
export interface BrowserFile {
  readonly name: string;
  /** The entry point of the bundle; unused after the build. */
  readonly source: URL;
}
/** One of the widget's files, by name, or a file of a site. */
type AssetFile = WidgetFileName | BrowserFile;

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
async function compress(body: string | Uint8Array): Promise<Asset['encoded']> {
  const [br, gzip] = await Promise.all([
    promisify(brotliCompress)(body),
    promisify(zip)(body, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { br, gzip };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * The version of the widget's files as a whole, which the script names when it loads another file. Below
 * `/broadsheet/<version>/`, and with `?v=<version>`, they never change.
 */
export async function widgetVersion(): Promise<string> {
  const { body } = await loadAsset('broadsheet.js');
  const [, version] = /"\?v=([0-9a-f]+)"/.exec(body) ?? [];
  if (version === undefined) throw new Error('broadsheet.js does not name the version of its files');
  return version;
}

/** Whether a URL that names a version of the widget names the one of this server. */
async function isCurrent(named: string | null, file: Asset): Promise<boolean> {
  return named === file.version || named === (await widgetVersion());
}

/**
 * Builds a file for browsers from its sources. The widget's own build is used, so that the files equal those that its
 * package publishes. The published server has the files in `dist/assets`.
 */
async function makeAsset(file: AssetFile): Promise<string> {
  if (typeof file !== 'string') return bundle(file.source);
  made ??= widgetFiles();
  const text = (await made).get(file);
  if (text === undefined) throw new Error(`the widget's build did not create ${file}`);
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

/**
 * Writes the files of the widget and of sites, uncompressed and compressed, to the folder that a built server reads.
 */
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

/** Headers that let a page of any site load an asset, even a page with cross-origin isolation. */
const SHARED = { ...CORS, 'cross-origin-resource-policy': 'cross-origin', 'x-content-type-options': 'nosniff' };

/**
 * Returns a file for browsers in the smallest encoding that the request accepts. Under its plain name it is fresh for
 * five minutes and then revalidated by its `ETag`; under a URL that names its version it never changes.
 *
 * @param inPath The version of the widget that the path names.
 * @throws ApiError for a version of the widget that is not the one of this server: a page that runs another version must
 *   not get these bytes, nor store them under that URL.
 */
export async function assetResponse(file: AssetFile, request: Request, inPath?: string): Promise<Response> {
  const asset = await loadAsset(file);
  const { version, contentType, encoded } = asset;
  const named = inPath ?? new URL(request.url).searchParams.get('v');
  const pinned = typeof file === 'string' ? await isCurrent(named, asset) : named === version;
  if (typeof file === 'string' && named !== null && !pinned)
    throw new ApiError('NO_SUCH_ENDPOINT', { message: `This server has another version of ${file} than ${named}.` });
  const encoding = chooseEncoding(request.headers.get('accept-encoding') ?? '');
  const etag = `"${version}${encoding ? `-${encoding}` : ''}"`;
  const headers = {
    ...SHARED,
    etag,
    vary: 'Accept-Encoding',
    'cache-control': pinned
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=300, stale-while-revalidate=86400',
  };
  if (matchesTag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const body = encoding ? encoded[encoding] : asset.body;
  return new Response(body, {
    headers: {
      ...headers,
      'content-type': contentType,
      'content-length': String(Buffer.byteLength(body)),
      ...(encoding && { 'content-encoding': encoding }),
    },
  });
}

/** The smallest encoding that an `Accept-Encoding` header allows; `undefined` if it allows none. */
export function chooseEncoding(accepted: string): Encoding | undefined {
  const weights = new Map(
    accepted.split(',').map((entry) => {
      const [name = '', ...parameters] = entry.toLowerCase().split(';');
      const weight = parameters.find((parameter) => parameter.trim().startsWith('q='))?.split('=')[1];
      return [name.trim(), weight === undefined ? 1 : Number(weight)];
    }),
  );
  const allows = (name: string): boolean => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  return (Object.keys(ENCODINGS) as Encoding[]).find(allows);
}
