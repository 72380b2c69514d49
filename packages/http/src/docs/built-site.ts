import { readFile } from 'node:fs/promises';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  md: 'text/markdown',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
};

/** The pages are written by TypeDoc, which runs inline scripts of its own; nothing comes from elsewhere. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Where `pnpm run docs` builds the site of guides and package reference, seen from the source and from a build. */
const SITE = new URL(import.meta.url.endsWith('.ts') ? '../../../../site/' : './site/', import.meta.url);

/** A file of the site, such as `index.html`; `undefined` where there is none, or no site was built. */
export async function siteFile(path: string, site: URL = SITE): Promise<Response | undefined> {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
  if (!type || !/^[\w][\w.,-]*(\/[\w][\w.,-]*)*$/.test(path)) return undefined;
  const bytes = await readFile(new URL(path, site)).catch(() => undefined);
  if (!bytes) return undefined;
  return new Response(bytes, {
    headers: {
      'content-type': /^text/.test(type) ? `${type}; charset=utf-8` : type,
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    },
  });
}
