import { createHash } from 'node:crypto';

const OWN_FORMS = "default-src 'none'; base-uri 'none'; form-action 'self'";
const OWN_SCRIPTS = "script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; style-src 'self'";
const NO_FORMS = "default-src 'none'; base-uri 'none'; form-action 'none'";

/** A page of the panel may load its own files and frames from the same origin, and has nothing inline. */
const PAGE_POLICY = `${OWN_FORMS}; ${OWN_SCRIPTS}; img-src 'self'; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'`;

/** The policy of the frame in which the widget draws an ad: as for a page, plus images from any host. */
export const AD_POLICY = `${OWN_FORMS}; ${OWN_SCRIPTS}; img-src * data:; frame-ancestors 'self'`;

/** The policy of the frame with the text of a post: an opaque origin that runs no scripts and sends no forms. */
export const TEXT_POLICY = `${NO_FORMS}; style-src 'self'; img-src * data:; media-src *; frame-ancestors 'self'; sandbox`;

/** Headers of every response of the panel. */
export const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** Headers of every response below `/report`. Its URL is a secret: no other host, cache or search engine may get it. */
export const REPORT_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/** The policy of a report: nothing but these styles and the images of its ads, which may be on any host. */
export function reportPolicy(styles: readonly string[]): string {
  const hashes = styles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`).join(' ');
  return `${NO_FORMS}; style-src ${hashes}; img-src http: https: data:; frame-ancestors 'none'`;
}

/** The same page for every token without a report: wrong, revoked or expired. */
export function reportNotFound(): Response {
  const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark"><title>Report not found</title>
<main><h1>Report not found</h1><p>The link is wrong, or it has expired or was revoked. Ask the publisher for a new one.</p></main></html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" };
  return new Response(html, { status: 404, headers: { ...REPORT_HEADERS, ...headers } });
}

export interface PageContent {
  toString(): string | Promise<string>;
}

/** A response with a page and its policy. */
export function send(
  page: PageContent,
  { status = 200, policy = PAGE_POLICY }: { readonly status?: number; readonly policy?: string } = {},
): Response {
  return new Response(`<!doctype html>\n${page}`, {
    status,
    headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  });
}

/** Redirects to another page after a change, so that reloading does not repeat the change. */
export function goTo(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { ...HEADERS, ...headers, location: path } });
}
