import type { Category } from '@broadsheet/sdk';
import { html } from 'hono/html';
import type { Html } from './story.ts';
import { today } from './wording.ts';

/** The part of a page between the head and the foot of the site. */
export interface SitePage {
  /** For the browser's title bar; the name of the blog is added. */
  readonly title: string;
  readonly body: Html;
  /** 200 by default. */
  readonly status?: number;
}

/** The data for the frame of every page of the site. */
export interface Frame {
  readonly blogName: string;
  readonly apiKey: string;
  readonly sections: readonly Category[];
  readonly url: URL;
  /** Versions of the style sheet and the script, so that no browser uses an old one. */
  readonly versions: { readonly css: string; readonly js: string };
}

export function layout({ title, body }: SitePage, { blogName, apiKey, sections, url, versions }: Frame): Html {
  const entries = [
    { path: '/', name: 'Front page' },
    ...sections.map(({ id, name }) => ({ path: `/categories/${encodeURIComponent(id)}`, name })),
  ];
  const current = (path: string) => path === url.pathname && html` aria-current="page"`;
  const q = url.pathname === '/search' ? (url.searchParams.get('q') ?? '') : '';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf6ec">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#171613">
<title>${title === blogName ? title : `${title} — ${blogName}`}</title>
<link rel="icon" href="/demo/art/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/broadsheet.css">
<link rel="stylesheet" href="/demo/demo.css?v=${versions.css}">
<script async src="/broadsheet.js" data-base-url="${url.origin}" data-api-key="${apiKey}"></script>
<script defer src="/demo/demo.js?v=${versions.js}"></script>
</head>
<body>
<a class="skip" href="#page">Skip to the stories</a>
<header class="masthead">
<div class="ears"><span>${today()}</span><span class="motto">Read slowly</span>
<form id="search" role="search" action="/search"><input type="search" name="q" value="${q}" placeholder="Search" aria-label="Search the stories" autocomplete="off" spellcheck="false"></form></div>
<p class="title"><a href="/">${blogName}</a></p>
<nav id="sections" aria-label="Sections"><ul>${entries.map(({ path, name }) => html`<li><a href="${path}"${current(path)}>${name}</a></li>`)}</ul></nav>
</header>
<main id="page" tabindex="-1">${body}</main>
<footer class="colophon"><p class="ornament" aria-hidden="true">❦</p><p>Set by <code>@broadsheet/sdk</code>, with advertisements by <code>@broadsheet/ad-widget</code>, over <code>@broadsheet/server</code>.</p>
<p><a href="/panel">Panel</a> · <a href="/docs">Documentation</a></p></footer>
<aside id="ad-desk" class="ad-desk" aria-label="Live ad figures">
<button type="button" aria-expanded="false" aria-controls="ad-desk-books"><span class="live" aria-hidden="true"></span>Ad desk <span id="ad-desk-totals"></span></button>
<div id="ad-desk-books" class="books" role="region" aria-label="Figures by ad" tabindex="0"><table><thead><tr><th scope="col">Advertisement</th><th scope="col">Shown</th><th scope="col">Clicks</th></tr></thead><tbody></tbody></table>
<p id="ad-desk-news" class="news" role="status"></p>
<p class="note">An ad is shown when the server delivers it. A click counts once per reader and ad in thirty minutes: try one twice.</p></div>
</aside>
</body>
</html>
`;
}

/**
 * A page may load files of the demo, and images from anywhere, because the images of an imported blog may be on other
 * hosts. Inline code, plug-ins and frames are forbidden, and scripts must not parse text as markup.
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
  "trusted-types 'none'",
].join('; ');
