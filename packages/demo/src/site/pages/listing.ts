import type { Blog, Page, PostSummary } from '@broadsheet/sdk';
import { html } from 'hono/html';
import type { SitePage } from '../layout.ts';
import { adSlot, loadMore, story } from '../story.ts';
import { stories } from '../wording.ts';

const PAGE_SIZE = 5;

export async function category(blog: Blog, id: string, page: number): Promise<SitePage> {
  const [found, posts] = await Promise.all([
    blog.categories.get(id),
    blog.categories.posts(id, { page, pageSize: PAGE_SIZE }),
  ]);
  return listing({ kind: 'Section', ...found }, posts, page);
}

export async function tag(blog: Blog, id: string, page: number): Promise<SitePage> {
  const [found, posts] = await Promise.all([blog.tags.get(id), blog.tags.posts(id, { page, pageSize: PAGE_SIZE })]);
  return listing({ kind: 'Subject', ...found }, posts, page);
}

interface Label {
  readonly kind: string;
  readonly name: string;
  readonly description?: string;
  readonly _count: { readonly posts: number };
}

function listing({ kind, name, description, _count }: Label, posts: Page<PostSummary>, page: number): SitePage {
  const rows = posts.items.map((post) => story(post, { size: 'row', level: 2 }));
  const body = html`<div class="listing">
<header class="listing-head">
<p class="kicker">${kind}</p>
<h1 class="headline">${name}</h1>
${description && html`<p class="standfirst">${description}</p>`}
<p class="credit">${stories(_count.posts)}</p>
</header>
<div class="columns">
<section class="river" aria-label="${name}">
${rows.length > 0 ? loadMore(rows, posts.hasNext ? { page: page + 1 } : undefined) : html`<p class="news">Nothing here yet.</p>`}
</section>
<aside class="rail" aria-label="Advertisement">${adSlot('listing-rail', 'SIDEBAR')}${adSlot('listing-native', 'NATIVE')}</aside>
</div>
</div>`;
  return { title: name, body };
}
