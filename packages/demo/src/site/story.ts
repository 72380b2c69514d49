import type { PostSummary } from '@broadsheet/sdk';
import { addressOf } from './addresses.ts';
import { byline, dateline } from './dateline.ts';
import { el } from './element.ts';

/** How large a story stands in a list. */
export type StorySize = 'lead' | 'card' | 'row';

/** A post in a list: picture, section, headline, standfirst, byline. Fields that a list leaves out are left out here. */
export function story(post: PostSummary, size: StorySize, level: 'h2' | 'h3' = 'h3'): HTMLElement {
  const href = addressOf.post(post.slug);
  const [section] = post.categories ?? [];
  return el(
    'article',
    { class: `story story-${size}` },
    el('a', { class: 'story-picture', href, tabindex: -1, 'aria-hidden': 'true' }, cover(post.slug, size === 'lead')),
    el(
      'div',
      { class: 'story-words' },
      section && el('a', { class: 'kicker', href: addressOf.category(section.id) }, section.name),
      el(level, { class: 'headline' }, el('a', { href }, post.title)),
      !!post.subtitle && el('p', { class: 'standfirst' }, post.subtitle),
      credit(post),
    ),
  );
}

/** Who wrote a post, and when it came out. */
export function credit(post: PostSummary, more?: string): HTMLElement {
  const author = byline(post.authorId);
  const date = el('time', { datetime: post.publishedAt ?? undefined }, dateline(post.publishedAt));
  return el(
    'p',
    { class: 'credit' },
    !!author && el('span', { class: 'author' }, author),
    date,
    !!more && el('span', {}, more),
  );
}

/** The picture of a post. The API has covers in search alone, so the demo draws one for every slug. */
export function cover(slug: string, eager = false): HTMLImageElement {
  return el('img', {
    src: `/demo/art/covers/${encodeURIComponent(slug)}.svg`,
    alt: '',
    width: 960,
    height: 640,
    loading: eager ? 'eager' : 'lazy',
    decoding: 'async',
  });
}
