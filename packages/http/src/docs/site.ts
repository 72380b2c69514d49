import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { matchesTag } from '@broadsheet/core';
import { chooseEncoding } from '../assets/asset-response.ts';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

/** Where `pnpm run docs` builds the site, or where the build of the server puts it, with texts only as brotli. */
const SITE = new URL(import.meta.url.endsWith('.ts') ? '../../../../site/' : './site/', import.meta.url);

interface SiteFile {
  /** As it is stored. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly brotli: boolean;
}

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
  if (name === '') return answer(`${path}index.html`, request, site, api);
  const extension = TYPES[name.slice(name.lastIndexOf('.') + 1)] && name.includes('.');
  if (extension) return answer(path, request, site, api);
  const page = await answer(`${path}.html`, request, site, api);
  if (page) return page;
  // A relative URL, because a proxy may serve this server below another path.
  const folder = await find(`${path}/index.html`, site);
  return folder && new Response(null, { status: 308, headers: { location: `${name}/` } });
}

/** A text file of the documentation; `undefined` if it was not built. */
export async function siteText(path: string, site: URL = SITE): Promise<string | undefined> {
  const file = await find(path, site);
  return file && Buffer.from(await plain(file)).toString();
}

async function answer(path: string, request: Request, site: URL, api: string): Promise<Response | undefined> {
  const file = await find(path, site);
  if (!file) return undefined;
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const encoded = file.brotli && chooseEncoding(request.headers.get('accept-encoding') ?? '') === 'br';
  const bytes = encoded ? file.bytes : await plain(file);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    vary: 'Accept-Encoding',
    etag,
    // Files in assets/ have a hash in their names.
    'cache-control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(encoded && { 'content-encoding': 'br' }),
    ...(path.endsWith('.html') && { 'content-security-policy': policyOf(await plain(file), api) }),
  };
  if (matchesTag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  return new Response(bytes, { headers: { ...headers, 'content-length': String(bytes.length) } });
}

async function find(path: string, site: URL): Promise<SiteFile | undefined> {
  const read = (ending: string) => readFile(new URL(path + ending, site)).catch(() => undefined);
  const bytes = await read('');
  if (bytes) return { bytes, brotli: false };
  const small = await read('.br');
  return small && { bytes: small, brotli: true };
}

async function plain({ bytes, brotli }: SiteFile): Promise<Uint8Array<ArrayBuffer>> {
  return brotli ? Uint8Array.from(await promisify(brotliDecompress)(bytes)) : bytes;
}

/**
 * Nothing is loaded from other origins, and only the inline scripts that the page was built with may run. Inline styles
 * are allowed because the syntax highlighter uses them.
 */
function policyOf(html: Uint8Array, api: string): string {
  const scripts = [
    ...Buffer.from(html)
      .toString()
      .matchAll(/<script(?: id="[\w-]+")?>(.*?)<\/script>/gs),
  ];
  const hashes = scripts.map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${api}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
