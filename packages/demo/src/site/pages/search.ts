import type { SearchResultItem } from '@broadsheet/sdk';
import { addressOf } from '../addresses.ts';
import { blog } from '../blog.ts';
import { dateline } from '../dateline.ts';
import { el } from '../element.ts';
import { marked } from '../highlight.ts';
import { loadMore } from '../load-more.ts';
import { cover } from '../story.ts';
import type { Screen } from '../view.ts';

const LEAST = 3;
const PAGE = 8;

/** What a search finds. Each letter typed is a visit of its own, so the router drops the answers that come late. */
export const search: Screen = async ({ query, signal }) => {
  const q = (query.get('q') ?? '').trim().replace(/\s+/g, ' ');
  const head = (words: string): HTMLElement =>
    el(
      'header',
      { class: 'listing-head' },
      el('p', { class: 'kicker' }, 'Search'),
      el('h1', { class: 'headline', tabindex: -1 }, q ? `“${q}”` : 'What are you looking for?'),
      el('p', { class: 'credit', role: 'status' }, words),
    );
  const view = (words: string, ...rest: HTMLElement[]) => ({
    title: q ? `Search: ${q}` : 'Search',
    node: el('div', { class: 'listing search' }, head(words), ...rest),
  });
  if ([...q].length < LEAST) return view('Three letters or more, of a headline or of the line below it.');
  const found = await blog.search(q, { limit: PAGE, signal });
  if (found.items.length === 0)
    return view('Nothing in this edition.', el('p', { class: 'news' }, 'Try “rain”, “wheel” or “letter”.'));
  const count = found.items.length;
  const words = found.hasNext ? `The first ${count} stories` : count === 1 ? 'One story' : `${count} stories`;
  return view(
    words,
    loadMore(found, (item) => result(item, q)),
  );
};

function result(item: SearchResultItem, q: string): HTMLElement {
  const href = addressOf.post(item.slug);
  const date = el('time', { datetime: item.publishedAt ?? undefined }, dateline(item.publishedAt));
  return el(
    'article',
    { class: 'story story-row' },
    el('a', { class: 'story-picture', href, tabindex: -1, 'aria-hidden': 'true' }, cover(item.slug)),
    el(
      'div',
      { class: 'story-words' },
      el('h2', { class: 'headline' }, el('a', { href }, ...marked(item.title, q))),
      !!item.subtitle && el('p', { class: 'standfirst' }, ...marked(item.subtitle, q)),
      el('p', { class: 'credit' }, date),
    ),
  );
}
