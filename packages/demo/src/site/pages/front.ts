import type { Blog, Tag } from '@broadsheet/sdk';
import { html } from 'hono/html';
import type { SitePage } from '../layout.ts';
import { adSlot, type Html, loadMore, story } from '../story.ts';

/** Stories above the fold of the first page: one lead and three beside it. */
const FOLD = 4;
const PAGE = 12;
/** The ads in the list of the first page, by the index of the story before each. */
const ADS: Readonly<Record<number, Html>> = { 2: adSlot('river', 'INLINE'), 5: adSlot('among-stories', 'NATIVE') };

/** The front page: every post, newest first, with ads of all formats between them. */
export async function front(blog: Blog, name: string, offset: number): Promise<SitePage> {
  const [posts, tags] = await Promise.all([blog.posts.list({ limit: PAGE, offset }), blog.tags.list()]);
  const fold = offset === 0 ? posts.items.slice(0, FOLD) : [];
  const [lead, ...seconds] = fold;
  const river = posts.items.slice(fold.length).map((post, index) => {
    const row = story(post, { size: 'row', level: 3 });
    const ad = offset === 0 ? ADS[index] : undefined;
    return ad ? html`<div class="with-ad">${row}${ad}</div>` : row;
  });
  const next = posts.hasNext ? { offset: offset + PAGE } : undefined;
  const body = html`<div class="front">
<h1 class="unseen">${name}</h1>
${adSlot('leaderboard', 'BANNER')}
${posts.items.length === 0 && html`<p class="notice">Nothing has been published yet.</p>`}
${
  lead &&
  html`<section class="fold" aria-label="Top stories">
${story(lead, { size: 'lead', level: 2 })}
${seconds.map((post) => story(post, { size: 'card', level: 2 }))}
</section>`
}
<div class="columns">
<section class="river" aria-labelledby="more"><h2 id="more" class="rubric">More from this edition</h2>${loadMore(river, next)}</section>
<aside class="rail" aria-label="Subjects"><h2 class="rubric">Subjects</h2>${subjects(tags)}${adSlot('rail', 'SIDEBAR')}</aside>
</div>
<broadsheet-slot name="corner" format="POPUP" every="0"></broadsheet-slot>
</div>`;
  return { title: name, body };
}

function subjects(tags: readonly Tag[]): Html {
  const used = tags.filter((tag) => tag._count.posts > 0);
  return html`<ul class="subjects">${used.map(
    (tag) =>
      html`<li><a href="/tags/${encodeURIComponent(tag.id)}">${tag.name}</a> <span class="count">${tag._count.posts}</span></li>`,
  )}</ul>`;
}
