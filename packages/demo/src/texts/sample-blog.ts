import type { SnapshotAd, SnapshotBlogInput } from '@broadsheet/contract';
import { SECTIONS, type Section } from './sections.ts';
import { SPONSORS, type Sponsor } from './sponsors.ts';

const DAY = 86_400_000;

/** Where and when the sample blog is made. */
export interface SampleBlogOptions {
  /** Milliseconds since the epoch: the newest article is of yesterday. */
  readonly now: number;
  /** Where the demo answers, without a slash at the end: the ads' pictures and links lead there. */
  readonly url: string;
  readonly apiKey: string;
  /** Hosts whose pages may report clicks. */
  readonly domains: readonly string[];
}

/**
 * The blog that ships with the package: a small magazine of five sections, with a draft, a scheduled post and ads of
 * every format, one of them paused and one not begun.
 */
export function sampleBlog({ now, url, apiKey, domains }: SampleBlogOptions): SnapshotBlogInput {
  const day = dayFrom(now);
  return {
    id: 'broadsheet',
    name: 'The Broadsheet',
    domains: [...domains],
    apiKeys: [apiKey],
    categories: SECTIONS.map(({ id, name, description }) => ({ id, name, description })),
    tags: TAGS.map((name) => ({ id: name, name: name.charAt(0).toUpperCase() + name.slice(1) })),
    posts: SECTIONS.flatMap((section) => posts(section, day)),
    ads: sampleAds({ now, url }),
  };
}

/** The ads of the sample blog, which a blog without any may borrow. */
export function sampleAds({ now, url }: Pick<SampleBlogOptions, 'now' | 'url'>): SnapshotAd[] {
  return SPONSORS.map((sponsor) => advertisement(sponsor, url, dayFrom(now)));
}

const TAGS = [
  'archives',
  'ink',
  'maps',
  'night',
  'paper',
  'rain',
  'repair',
  'rivers',
  'slow',
  'tools',
  'trains',
  'type',
  'walking',
  'wind',
] as const;

/** Timestamps so many days after the day before `now`. */
const dayFrom = (now: number) => (days: number) => new Date(morning(now) + days * DAY).toISOString();

/** Six o'clock (UTC) of the day before the day `now` falls on; never in the future. */
function morning(now: number): number {
  return Math.floor(now / DAY) * DAY - DAY * 0.75;
}

function posts(section: Section, day: (days: number) => string) {
  return section.articles.map(
    ({ slug, title, subtitle, author, tags, daysAgo, status = 'PUBLISHED' as const, content }) => ({
      id: `post-${slug}`,
      slug,
      title,
      subtitle,
      content,
      status,
      authorId: author,
      publishedAt: status === 'PUBLISHED' ? day(1 - daysAgo) : null,
      scheduledAt: status === 'SCHEDULED' ? day(1 - daysAgo) : null,
      coverUrl: coverPath(slug),
      categoryIds: [section.id],
      tagIds: [...tags],
    }),
  );
}

function advertisement(sponsor: Sponsor, url: string, day: (days: number) => string): SnapshotAd {
  const { number, slug, format, title, content, linkText, priority = 0, active = true, startsInDays } = sponsor;
  return {
    id: `ad000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    format,
    priority,
    active,
    startsAt: startsInDays === undefined ? null : day(1 + startsInDays),
    endsAt: null,
    imageUrl: url + sponsorPath(slug),
    linkUrl: `${url}/sponsors/${slug}`,
    title,
    content,
    linkText,
  };
}

/** Where the demo serves the picture of a post. */
const coverPath = (slug: string): string => `/demo/art/covers/${encodeURIComponent(slug)}.svg`;

const sponsorPath = (slug: string): string => `/demo/art/sponsors/${slug}.svg`;
