import { createHash } from 'node:crypto';

/** The beginning of the policies of pages without forms. */
export const NO_FORMS = "default-src 'none'; base-uri 'none'; form-action 'none'";

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

/** The headers of a file with this name. Clients that do not support `filename*` (RFC 6266) get a name in ASCII. */
export function downloadHeaders(name: string, type: string): Readonly<Record<string, string>> {
  const whole = encodeURIComponent(name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-'));
  const ascii = name.replace(/[^\w.-]+/g, '-');
  return { 'content-type': type, 'content-disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${whole}` };
}

/** The policy of a report: it allows only this style and the images of its ads, which may be on any host. */
export function reportPolicy(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `${NO_FORMS}; style-src 'sha256-${hash}'; img-src http: https: data:; frame-ancestors 'none'`;
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
