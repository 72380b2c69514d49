import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { matchesTag } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import { chooseEncoding } from '../assets/assets.ts';

const TYPES = new Map(
  Object.entries({
    css: 'text/css; charset=utf-8',
    html: 'text/html; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    json: 'application/json',
    md: 'text/markdown; charset=utf-8',
    png: 'image/png',
    svg: 'image/svg+xml',
    txt: 'text/plain; charset=utf-8',
  }),
);

/** Where `pnpm run docs` builds the site, or where the build of the server puts it, with texts only as brotli. */
const SITE = new URL(import.meta.url.endsWith('.ts') ? '../../../../site/' : './site/', import.meta.url);

/** A file in the form in which it is sent. */
interface SiteFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: 'br' | undefined;
  readonly etag: string;
  /** The hashes of the inline scripts of a page, for its policy. */
  readonly scripts: string;
}

/** Bytes of cached files. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Decompressing and hashing a page takes longer than sending it. */
const cache = new LRUCache<string, SiteFile>({
  maxSize: CACHE_BYTES,
  sizeCalculation: ({ bytes, scripts }) => bytes.length + scripts.length + 1,
});

/** Where the documentation is, and which API its pages may call. */
export interface SiteOptions {
  /** The origin of the API, to which the reference sends test requests. */
  readonly api?: string;
  readonly site?: URL;
}

/**
 * The response for a path below `/docs/`: `guides/node` is the page `guides/node.html`, `errors` leads to `errors/`.
 * `undefined` if there is no such page or the documentation was not built.
 */
export async function sitePage(
  path: string,
  request: Request,
  options: SiteOptions = {},
): Promise<Response | undefined> {
  const { site = SITE, api = '' } = options;
  if (!/^([\w@][\w@.,-]*(\/|$))*$/.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '') return respond(`${path}index.html`, request, site, api);
  const extension = TYPES.has(name.slice(name.lastIndexOf('.') + 1)) && name.includes('.');
  if (extension) return respond(path, request, site, api);
  const page = await respond(`${path}.html`, request, site, api);
  if (page) return page;
  // A relative URL, because a proxy may serve this server below another path.
  const folder = await find(`${path}/index.html`, site);
  return folder && new Response(null, { status: 308, headers: { location: `${name}/` } });
}

/** Whether the documentation was built, and has this file. */
export const isInSite = async (path: string): Promise<boolean> => (await find(path, SITE)) !== undefined;

/**
 * A text file of the documentation, with absolute links, because assistants read it outside of this site; `undefined` if
 * it was not built.
 */
export async function siteText(path: string, publicUrl: string): Promise<string | undefined> {
  const file = await load(path, SITE, false);
  return file && Buffer.from(file.bytes).toString().replaceAll('](/docs/', `](${publicUrl}/docs/`);
}

async function respond(path: string, request: Request, site: URL, api: string): Promise<Response | undefined> {
  const isEncoded = chooseEncoding(request.headers.get('accept-encoding') ?? '') === 'br';
  const file = await load(path, site, isEncoded);
  if (!file) return undefined;
  const { bytes, encoding, etag, scripts } = file;
  const headers = {
    'content-type': TYPES.get(path.slice(path.lastIndexOf('.') + 1)) ?? 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    vary: 'Accept-Encoding',
    etag,
    // Files in assets/ have a hash in their names.
    'cache-control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(encoding && { 'content-encoding': encoding }),
    ...(path.endsWith('.html') && { 'content-security-policy': policyOf(scripts, api) }),
  };
  if (matchesTag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  return new Response(bytes, { headers: { ...headers, 'content-length': String(bytes.length) } });
}

/**
 * A file as it is sent, from the cache unless it was changed.
 *
 * @param isEncoded whether it may be sent as it is stored
 */
async function load(path: string, site: URL, isEncoded: boolean): Promise<SiteFile | undefined> {
  const found = await find(path, site);
  if (!found) return undefined;
  const key = `${found.url} ${found.changedAt} ${isEncoded}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const stored = await readFile(found.url);
  const original = found.isBrotli ? await promisify(brotliDecompress)(stored) : stored;
  const encoding = found.isBrotli && isEncoded ? 'br' : undefined;
  const bytes = Uint8Array.from(encoding ? stored : original);
  const scripts = path.endsWith('.html') ? scriptsOf(String(original)) : '';
  const file = { bytes, encoding, etag: `"${digest(bytes, 'base64url').slice(0, 22)}"`, scripts } as const;
  cache.set(key, file);
  return file;
}

/** Where a file is, and whether only its compressed form exists. */
async function find(path: string, site: URL) {
  for (const isBrotli of [false, true]) {
    const url = new URL(isBrotli ? `${path}.br` : path, site);
    const found = await stat(url).catch(() => undefined);
    if (found?.isFile()) return { url, isBrotli, changedAt: found.mtimeMs };
  }
  return undefined;
}

const digest = (data: string | Uint8Array, encoding: 'base64' | 'base64url'): string =>
  createHash('sha256').update(data).digest(encoding);

const scriptsOf = (html: string): string =>
  [...html.matchAll(/<script(?: id="[\w-]+")?>(.*?)<\/script>/gs)]
    .map(([, code = '']) => `'sha256-${digest(code, 'base64')}'`)
    .join(' ');

/**
 * Nothing is loaded from other origins, and only the inline scripts that the page was built with may run. Inline styles
 * are allowed because the syntax highlighter uses them.
 */
function policyOf(scripts: string, api: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${api}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
