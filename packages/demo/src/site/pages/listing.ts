import type { Page, PostSummary } from '@broadsheet/sdk';
import { adSlot } from '../ad-slot.ts';
import { el } from '../element.ts';
import { loadMore } from '../load-more.ts';
import { story } from '../story.ts';
import type { View } from '../view.ts';

/** What stands over a list of posts. */
export interface ListingHead {
  readonly kind: string;
  readonly name: string;
  readonly description?: string;
}

/** The page of a section or a subject: its posts, newest first, with an ad beside them. */
export function listing({ kind, name, description }: ListingHead, posts: Page<PostSummary>, total: number): View {
  const count = total === 1 ? 'One story' : `${total} stories`;
  const node = el(
    'div',
    { class: 'listing' },
    el(
      'header',
      { class: 'listing-head' },
      el('p', { class: 'kicker' }, kind),
      el('h1', { class: 'headline', tabindex: -1 }, name),
      !!description && el('p', { class: 'standfirst' }, description),
      el('p', { class: 'credit' }, count),
    ),
    el(
      'div',
      { class: 'columns' },
      el(
        'section',
        { class: 'river', 'aria-label': name },
        posts.items.length > 0
          ? loadMore(posts, (post) => story(post, 'row', 'h2'))
          : el('p', { class: 'news' }, 'Nothing here yet. The editor has been told.'),
      ),
      el(
        'aside',
        { class: 'rail', 'aria-label': 'Advertisement' },
        adSlot('listing-rail', 'SIDEBAR'),
        adSlot('listing-native', 'NATIVE'),
      ),
    ),
  );
  return { title: name, node };
}
