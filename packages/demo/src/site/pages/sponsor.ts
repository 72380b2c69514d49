import { html } from 'hono/html';
import { SPONSORS } from '../../sponsors.ts';
import type { SitePage } from '../layout.ts';
import { titleCase } from '../wording.ts';

/** The target of the ads of the sample blog, in place of the advertiser's own page. */
export function sponsor(slug: string): SitePage {
  const title = titleCase(slug);
  const picture = SPONSORS.find((known) => known.slug === slug)?.picture ?? 'letters';
  const body = html`<article class="post sponsor">
<header class="post-head"><p class="kicker">Advertiser</p><h1 class="headline">${title}</h1></header>
<figure class="post-picture"><img src="/demo/art/${picture}.svg" alt="" width="960" height="640"></figure>
<p class="standfirst">This is where the advertiser’s own page would be. Your click was reported on the way here: see the ad desk.</p>
<p><a class="button" href="/">Back to the front page</a></p>
</article>`;
  return { title, body };
}
