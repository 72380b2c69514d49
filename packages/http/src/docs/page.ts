import { createHash } from 'node:crypto';
import { type Html, html } from './html.ts';
import { STYLE } from './style.ts';

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded, run, framed or sent anywhere; the inline style sheet is named by its hash. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=300',
};

/** A page of the documentation. `root` is the relative way from it to the root of the server. */
export function page(options: { title: string; root: string; body: Html; status?: number }): Response {
  const { title, root, body, status = 200 } = options;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Broadsheet</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<header>
<strong>Broadsheet</strong>
<a href="${root}docs">Guides</a>
<a href="${root}docs/reference">API reference</a>
<a href="${root}errors">Errors</a>
<a href="${root}openapi.json">OpenAPI</a>
</header>
<main>${body}</main>
</body>
</html>
`;
  return new Response(document.markup, { status, headers: HEADERS });
}
