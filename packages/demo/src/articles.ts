import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CONTENT } from './site-files.ts';

/** An article of the sample magazine: a file in `posts`, named after its slug. */
export interface Article {
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string;
  /** The id of a category. */
  readonly section: string;
  readonly author: string;
  /** Ids of tags. */
  readonly tags: readonly string[];
  /** Days between its publication and the day the demo runs; negative for a date in the future. */
  readonly daysAgo: number;
  readonly status?: 'DRAFT' | 'SCHEDULED';
  /** The name of its cover in `art`. */
  readonly picture: string;
  /** Markdown, HTML, or a mix of both. */
  readonly content: string;
}

/** All articles of the sample magazine. */
export const ARTICLES: readonly Article[] = readdirSync(new URL('posts/', CONTENT)).map((name) => {
  const [, head = '', content = ''] = readFileSync(new URL(`posts/${name}`, CONTENT), 'utf8').split(/^---\n/m);
  return { slug: name.replace(/\.md$/, ''), ...parse(head), content: content.trim() };
});

const PICTURES = readdirSync(new URL('art/', CONTENT)).filter((name) => name !== 'icon.svg');

/** The path of the cover of a post: the article's picture, or for any other slug one that depends only on the slug. */
export function coverPath(slug: string): string {
  const own = ARTICLES.find((article) => article.slug === slug);
  const sum = [...slug].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return `/demo/art/${own ? `${own.picture}.svg` : PICTURES[sum % PICTURES.length]}`;
}
