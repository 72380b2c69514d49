import type { SlotResult } from '../delivery/creative.ts';

/**
 * The markup that hands ads delivered on the server to the client, which shows them without a request. It may be
 * anywhere in the page, or in a part of it that is loaded later.
 *
 * A page with this markup must not be cached: tokens are single use and valid for ten minutes, and the impressions are
 * counted for one reader. A proxy in front of the API must forward `Origin`, `Referer` and the reader's address, or
 * clicks are refused (403) or taken for repeats of one another.
 *
 * ```ts
 * const results = await blog.ads.deliverBatch([{ slotId: 'top', format: 'BANNER' }]);
 * html += deliveredMarkup(results);
 * ```
 */
export function deliveredMarkup(results: readonly SlotResult[]): string {
  // An ad's text may contain "</script>" or "<!--", so every "<" is escaped.
  const json = JSON.stringify({ results }).replaceAll('<', '\\u003c');
  return `<script type="application/json" data-broadsheet-delivered>${json}</script>`;
}
