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

/**
 * What browsers load, with the source each is made from, as seen from this folder. In the published package they lie
 * ready in `dist/assets`; from source they are made when they are first asked for.
 */
export const ASSETS = {
  'broadsheet.js': '../../ad-widget/src/script.ts',
  'broadsheet.css': '../../ad-widget/src/broadsheet.css',
  'demo.js': './demo/site/main.ts',
  'demo.css': './demo/site/css/site.css',
} as const;
export type AssetName = keyof typeof ASSETS;

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
    ? await bundle(new URL(ASSETS[name], import.meta.url))
    : await readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8');
  const version = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return { body, contentType: CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain', version };
}

/** A module or style sheet with everything it imports as one small file, the workspace's packages from their sources. */
export async function bundle(entry: URL): Promise<string> {
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
