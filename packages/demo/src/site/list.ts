import { html } from 'hono/html';
import type { Html } from './story.ts';

/**
 * A list that begins with one page, and a button for the next. Without scripts the button opens the next page; with them
 * the page's own script appends it to the list.
 */
export function loadMore(items: readonly Html[], next: Readonly<Record<string, string | number>> | undefined): Html {
  const fields = Object.entries(next ?? {});
  return html`<div class="load-more">
<div class="list">${items}</div>
<p class="news" role="status"></p>
${next && html`<form>${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="button more">Load more</button></form>`}
</div>`;
}
