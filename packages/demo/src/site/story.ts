import type { AdFormat, PostSummary } from '@broadsheet/sdk';
import { html, raw } from 'hono/html';
import { coverPath } from '../articles.ts';
import { byline, dateline } from './wording.ts';

/** Markup in which every value is escaped. */
export type Html = ReturnType<typeof html>;

/** A slot for an ad, which the widget fills. */
export const adSlot = (name: string, format: AdFormat): Html =>
  html`<div class="place place-${format.toLowerCase()}"><broadsheet-slot name="${name}" format="${format}"></broadsheet-slot></div>`;

/** The picture of a post. The API has covers only in search, so the demo chooses one by the slug. */
export const cover = (slug: string, loading: 'eager' | 'lazy' = 'lazy'): Html =>
  html`<img src="${coverPath(slug)}" alt="" width="960" height="640" loading="${loading}" decoding="async">`;

const postPath = (slug: string): string => `/posts/${encodeURIComponent(slug)}`;

/** The link to a category above a headline. */
export const kicker = (section: { readonly id: string; readonly name: string } | undefined): Html | undefined =>
  section && html`<a class="kicker" href="/categories/${encodeURIComponent(section.id)}">${section.name}</a>`;

/** A post as shown in a list, without the fields that the list omits. */
export type Teaser = Pick<PostSummary, 'slug' | 'title'> & {
  readonly [Field in 'subtitle' | 'categories' | 'authorId' | 'publishedAt']?: PostSummary[Field] | null;
};

export interface StoryStyle {
  /** `lead` is the first of the front page, `card` has its picture on top, `row` at its side. */
  readonly size: 'lead' | 'card' | 'row';
  readonly level: 2 | 3;
  /** The search whose terms are marked. */
  readonly q?: string;
}

/** A post in a list: picture, section, headline, standfirst, byline. */
export function story(post: Teaser, { size, level, q = '' }: StoryStyle): Html {
  const { slug, title, subtitle, categories } = post;
  const heading = raw(`h${level}`);
  return html`<article class="story story-${size}">
<a class="story-picture" href="${postPath(slug)}" tabindex="-1" aria-hidden="true">${cover(slug, size === 'lead' ? 'eager' : 'lazy')}</a>
<div class="story-words">
${kicker(categories?.[0])}
<${heading} class="headline"><a href="${postPath(slug)}">${withMarks(title, q)}</a></${heading}>
${subtitle && html`<p class="standfirst">${withMarks(subtitle, q)}</p>`}
${credit(post)}
</div>
</article>`;
}

/** A text with the terms of a search marked, even inside words, where the search also finds them. */
function withMarks(text: string, q: string): readonly (string | Html)[] {
  const terms = q
    .split(/\s+/)
    .filter(Boolean)
    .map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (terms.length === 0) return [text];
  // Splitting by a group keeps what the group matched, as every second part.
  const parts = text.split(new RegExp(`(${terms.join('|')})`, 'giu'));
  return parts.map((part, index) => (index % 2 ? html`<mark>${part}</mark>` : part));
}

/**
 * One page of a list, and a button for the next page. Without scripts, the button opens the next page; otherwise the
 * script of the site appends it to the list.
 */
export function loadMore(items: readonly Html[], next: Readonly<Record<string, string | number>> | undefined): Html {
  const fields = Object.entries(next ?? {});
  return html`<div class="load-more">
<div class="list">${items}</div>
<p class="news" role="status"></p>
${next && html`<form>${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button class="button more">Load more</button></form>`}
</div>`;
}

/** Who wrote a post, and when it was published. */
export function credit({ authorId, publishedAt }: Omit<Teaser, 'slug' | 'title'>, more?: string): Html {
  const author = byline(authorId);
  return html`<p class="credit">${author && html`<span class="author">${author}</span>`}${publishedAt && html`<time datetime="${publishedAt}">${dateline(publishedAt)}</time>`}${more && html`<span>${more}</span>`}</p>`;
}
