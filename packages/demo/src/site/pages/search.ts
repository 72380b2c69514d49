import type { Blog } from '@broadsheet/sdk';
import { html } from 'hono/html';
import type { SitePage } from '../layout.ts';
import { type Html, loadMore, story } from '../story.ts';
import { stories } from '../wording.ts';

const LEAST = 3;
const PAGE = 8;

export async function search(blog: Blog, typed: string, offset: number): Promise<SitePage> {
  const q = typed.trim().replace(/\s+/g, ' ');
  const page = (status: string, rest?: Html): SitePage => ({
    title: q ? `Search: ${q}` : 'Search',
    body: html`<div class="listing search">
<header class="listing-head">
<p class="kicker">Search</p>
<h1 class="headline">${q ? `“${q}”` : 'What are you looking for?'}</h1>
<p class="credit" role="status">${status}</p>
</header>
${rest}
</div>`,
  });
  if ([...q].length < LEAST) return page('Type at least three letters of a headline or subtitle.');
  const found = await blog.search(q, { limit: PAGE, offset });
  const count = found.items.length;
  if (count === 0) return page('Nothing in this edition.', html`<p class="news">Try “rain”, “wheel” or “letter”.</p>`);
  const rows = found.items.map((item) => story(item, { size: 'row', level: 2, q }));
  const next = found.hasNext ? { q, offset: offset + PAGE } : undefined;
  return page(found.hasNext ? `The first ${count} stories` : stories(count), loadMore(rows, next));
}
