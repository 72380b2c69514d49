import type { AdFormat } from '@broadsheet/contract';
import { type SlotResult, TOKEN_TTL } from '../delivery/creative.ts';
import { type AdTexts, cardOf, safeUrl } from '../drawing/card.ts';
import { LABELS } from '../drawing/draw.ts';
import { STYLE } from '../drawing/popup.ts';
import { SHEET } from '../drawing/style.ts';

/**
 * The markup that hands ads delivered on the server to the client, which shows them without a request. It may be
 * anywhere in the page, or in a part of it that is loaded later.
 *
 * Send a page with this markup with `Cache-Control: no-store`: tokens are single use and valid for ten minutes, and the
 * impressions are counted for one reader. Ads whose tokens have expired are ignored. A proxy in front of the API must
 * forward `Origin`, `Referer` and the reader's address, or clicks are refused (403) or taken for repeats of one another.
 *
 * ```ts
 * const results = await blog.ads.deliverBatch([{ slotId: 'top', format: 'BANNER' }]);
 * html += deliveredMarkup(results);
 * ```
 */
export function deliveredMarkup(results: readonly SlotResult[]): string {
  const expiresAt = Date.now() + TOKEN_TTL * 1000;
  const json = JSON.stringify({ results: results.map((result) => ({ expiresAt, ...result })) });
  // An ad's text may contain "</script>" or "<!--".
  return `<script type="application/json" data-broadsheet-delivered>${json.replaceAll('<', '\\u003c')}</script>`;
}

/** A page without scripts cannot compare an image with its box, so each is shown whole, and a popup as any card. */
const WITHOUT_SCRIPTS =
  '.ad .image{object-fit:contain}.ad.POPUP{position:static;max-height:none;box-shadow:none;animation:none}';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

const part = (tag: string, name: string, content: string, attributes = ''): string =>
  `<${tag} class="${name}" part="${name.split(' ')[0]}"${attributes}>${content}</${tag}>`;

/**
 * The style of the ads of a format in {@link previewMarkup}: a Content-Security-Policy must allow its hash, because
 * Chromium ignores a nonce there.
 *
 * @example
 * ```ts
 * const hash = createHash('sha256').update(previewStyle('BANNER')).digest('base64');
 * const policy = `style-src 'self' 'sha256-${hash}'`;
 * ```
 */
export const previewStyle = (format: AdFormat): string => SHEET + (format === 'POPUP' ? STYLE : '') + WITHOUT_SCRIPTS;

/**
 * The markup of an ad as the widget draws it, for a page without scripts, such as a report: a slot with a declarative
 * shadow root. `broadsheet.css` reserves its box. Clicks on it are not counted.
 *
 * @example
 * ```ts
 * html += previewMarkup({ title: 'Green tea', linkUrl: 'https://tea.example/' }, 'BANNER');
 * ```
 */
export function previewMarkup(ad: AdTexts, format: AdFormat): string {
  const href = safeUrl(ad.linkUrl);
  const label = LABELS['en'] ?? '';
  const { className, src, lines } = cardOf(format, ad, href && URL.canParse(href) ? new URL(href) : { host: '' });
  const [title, content, action] = ['title', 'content', 'action'].map((name, index) =>
    lines[index] ? part('span', name, escapeText(lines[index])) : '',
  );
  const image = src ? `<img class="image" part="image" alt="" src="${escapeText(src)}">` : '';
  const words = part('div', 'words', `${title}${content}`);
  const text = part('div', 'text', words + action + part('span', 'label', label));
  const to = href ? ` href="${escapeText(href)}" title="Opens in a new tab"` : '';
  const link = part('a', 'link', image + text, ` target="_blank" rel="sponsored noopener"${to}`);
  const card = part('div', className, link, ` role="group" aria-label="${label}"`);
  const root = `<template shadowrootmode="open"><style>${previewStyle(format)}</style>${card}</template>`;
  return `<broadsheet-slot format="${format}">${root}</broadsheet-slot>`;
}
