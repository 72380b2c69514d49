import { adSlot } from '../ad-slot.ts';
import { addressOf } from '../addresses.ts';
import { articleText } from '../article-text.ts';
import { blog } from '../blog.ts';
import { readingTime } from '../dateline.ts';
import { el } from '../element.ts';
import { cover, credit, story } from '../story.ts';
import type { Screen } from '../view.ts';

/** The paragraph after which the ad within the text stands. */
const AD_AFTER = 3;
const RELATED = 3;

/** One post, and what else its section has. */
export const post: Screen = async ({ name, signal }) => {
  const found = await blog.posts.getBySlug(name, { signal });
  const [section] = found.categories;
  const others = section ? await blog.categories.posts(section.id, { pageSize: RELATED + 1, signal }) : undefined;
  const related = (others?.items ?? []).filter(({ id }) => id !== found.id).slice(0, RELATED);

  const text = articleText(found.content);
  const words = readingTime(text.textContent);
  const body = el('div', { class: 'prose' }, text);
  const paragraphs = body.querySelectorAll(':scope > p');
  (paragraphs[AD_AFTER - 1] ?? body.lastElementChild)?.after(adSlot('in-text', 'INLINE'));

  const node = el(
    'article',
    { class: 'post' },
    el(
      'header',
      { class: 'post-head' },
      section && el('a', { class: 'kicker', href: addressOf.category(section.id) }, section.name),
      el('h1', { class: 'headline', tabindex: -1 }, found.title),
      !!found.subtitle && el('p', { class: 'standfirst' }, found.subtitle),
      credit(found, words),
    ),
    el('figure', { class: 'post-picture' }, cover(found.slug, true)),
    body,
    el(
      'ul',
      { class: 'labels', 'aria-label': 'Tags' },
      ...found.tags.map((tag) => el('li', {}, el('a', { href: addressOf.tag(tag.id) }, tag.name))),
    ),
    related.length > 0 &&
      el(
        'section',
        { class: 'related', 'aria-labelledby': 'related' },
        el('h2', { id: 'related', class: 'rubric' }, `More in ${section?.name ?? 'this section'}`),
        el('div', { class: 'trio' }, ...related.map((other) => story(other, 'card'))),
      ),
    adSlot('foot', 'BANNER'),
  );
  return { title: found.title, node };
};
