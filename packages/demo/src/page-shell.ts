/** What the demo's page is made of. */
export interface PageShell {
  readonly blogName: string;
  /** The origin of the request. */
  readonly origin: string;
  readonly apiKey: string;
  /** Versions of the style sheet and the script, so that a new one is never missed. */
  readonly versions: { readonly css: string; readonly js: string };
}

/** The one HTML page of the demo: everything that stands on every page. The script fills the rest. */
export function pageShell({ blogName, origin, apiKey, versions }: PageShell): string {
  const name = escaped(blogName);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf6ec">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#171613">
<meta name="application-name" content="${name}">
<title>${name}</title>
<link rel="icon" href="/demo/art/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/broadsheet.css">
<link rel="stylesheet" href="/demo/demo.css?v=${versions.css}">
<script async src="/broadsheet.js" data-base-url="${escaped(origin)}" data-api-key="${escaped(apiKey)}"></script>
<script defer src="/demo/demo.js?v=${versions.js}"></script>
</head>
<body>
<a class="skip" href="#page">Skip to the stories</a>
<header class="masthead">
<div class="ears"><span id="today"></span><span class="motto">Read slowly</span>
<form id="search" role="search" action="/search"><input type="search" name="q" placeholder="Search" aria-label="Search the stories" autocomplete="off" spellcheck="false"></form></div>
<p class="title"><a href="/">${name}</a></p>
<nav id="sections" aria-label="Sections"><ul><li><a href="/">Front page</a></li></ul></nav>
</header>
<main id="page" tabindex="-1"><noscript><p class="notice">This demo is drawn in the browser by the Broadsheet SDK: it needs JavaScript.</p></noscript></main>
<footer class="colophon"><p class="ornament" aria-hidden="true">❦</p><p>Set by <code>@broadsheet/sdk</code>, with advertisements by <code>@broadsheet/ad-widget</code>, over <code>@broadsheet/server</code>.</p>
<p><a href="/docs">API reference</a></p></footer>
<aside id="ad-desk" class="ad-desk" aria-label="Live ad figures">
<button type="button" aria-expanded="false" aria-controls="ad-desk-books"><span class="live" aria-hidden="true"></span>Ad desk <span id="ad-desk-totals"></span></button>
<div id="ad-desk-books" class="books"><table><thead><tr><th scope="col">Advertisement</th><th scope="col">Shown</th><th scope="col">Clicks</th></tr></thead><tbody></tbody></table>
<p id="ad-desk-news" class="news" role="status"></p>
<p class="note">An ad is shown when the server delivers it. A click counts once per reader and ad in thirty minutes: try one twice.</p></div>
</aside>
<broadsheet-slot name="corner" format="POPUP" every="0"></broadsheet-slot>
</body>
</html>
`;
}

/**
 * What the page may load: its own files, and pictures. Nothing inline, no plug-ins, no frames, and markup becomes
 * part of the page only through the sanitizer. Pictures of an imported blog may come from anywhere.
 */
export const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src * data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dompurify',
].join('; ');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
