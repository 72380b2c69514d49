import { type SlotResult, TOKEN_TTL } from '../delivery/creative.ts';

/**
 * The markup that hands ads delivered on the server to the client, which shows them without a request. It may be
 * anywhere in the page, or in a part of it that is loaded later.
 *
 * Send a page with this markup with `Cache-Control: no-store`: tokens are single use and valid for ten minutes, and the
 * impressions are counted for one reader. Ads whose tokens have expired are ignored. A proxy in front of the API must
 * forward `Origin`, `Referer` and the reader's IP address, or clicks are refused (403) or taken for repeats.
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
