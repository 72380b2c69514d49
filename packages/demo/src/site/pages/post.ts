import type { Blog } from '@broadsheet/sdk';
import { html } from 'hono/html';
import { articleText } from '../article-text.ts';
import type { SitePage } from '../layout.ts';
import { adSlot, cover, credit, kicker, story } from '../story.ts';

const RELATED = 3;

/** One post, with other posts of its section. */
export async function post(blog: Blog, slug: string): Promise<SitePage> {
  const found = await blog.posts.getBySlug(slug);
  const [section] = found.categories;
  const others = section ? await blog.categories.posts(section.id, { pageSize: RELATED + 1 }) : undefined;
  const related = (others?.items ?? []).filter(({ id }) => id !== found.id).slice(0, RELATED);
  const text = articleText(found.content);
  const body = html`<article class="post">
<header class="post-head">
${kicker(section)}
<h1 class="headline">${found.title}</h1>
${found.subtitle && html`<p class="standfirst">${found.subtitle}</p>`}
${credit(found, text.readingTime)}
</header>
<figure class="post-picture">${cover(found.slug, 'eager')}</figure>
<div class="prose">${text.body}</div>
<ul class="labels" aria-label="Tags">${found.tags.map(
    (tag) => html`<li><a href="/tags/${encodeURIComponent(tag.id)}">${tag.name}</a></li>`,
  )}</ul>
${
  related.length > 0 &&
  html`<section class="related" aria-labelledby="related">
<h2 id="related" class="rubric">More in ${section?.name}</h2>
<div class="trio">${related.map((other) => story(other, { size: 'card', level: 3 }))}</div>
</section>`
}
${adSlot('foot', 'BANNER')}
</article>`;
  return { title: found.title, body };
}
