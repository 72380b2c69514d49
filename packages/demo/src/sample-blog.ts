import { defaultsOf, SnapshotAd, type SnapshotBlogInput } from '@broadsheet/contract';
import { ARTICLES, coverPath } from './articles.ts';
import { sampleCampaigns } from './sample-campaigns.ts';
import { SPONSORS } from './sponsors.ts';

const DAY = 86_400_000;

/** The time and the URLs of the sample blog. */
export interface SampleBlogOptions {
  /** Milliseconds since the epoch. The newest article is from the day before. */
  readonly now: number;
  /** The URL of the demo, without a trailing slash, for the images and links of the ads. */
  readonly url: string;
  readonly apiKey: string;
  /** Hosts whose pages may report clicks. */
  readonly domains: readonly string[];
}

/**
 * The blog that ships with the package: a small magazine of five sections, with a draft, a scheduled post, campaigns, and
 * ads of every format, one of which is paused and one has not started.
 */
export function sampleBlog({ now, url, apiKey, domains }: SampleBlogOptions): SnapshotBlogInput {
  return {
    id: 'broadsheet',
    name: 'The Broadsheet',
    domains: [...domains],
    publisher: { logoUrl: `${url}/demo/art/icon.svg`, contact: 'ads@broadsheet.example' },
    apiKeys: [apiKey],
    categories: [...SECTIONS],
    tags: TAGS.map((name) => ({ id: name, name: name.charAt(0).toUpperCase() + name.slice(1) })),
    posts: posts(now),
    campaigns: sampleCampaigns(now),
    ads: sampleAds({ now, url }).map((ad, index) => ({ ...ad, campaignId: SPONSORS[index]?.campaign })),
  };
}

/** The ads of the sample blog, which are also shown on a blog without ads. */
export function sampleAds({ now, url }: Pick<SampleBlogOptions, 'now' | 'url'>): SnapshotAd[] {
  return SPONSORS.map(({ slug, picture, startsInDays, campaign: _, ...ad }, index) => ({
    ...defaultsOf(SnapshotAd),
    ...ad,
    id: `ad000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
    startsAt: startsInDays === undefined ? null : day(now, 1 + startsInDays),
    imageUrl: `${url}/demo/art/${picture}.svg`,
    linkUrl: `${url}/sponsors/${slug}`,
  }));
}

const SECTIONS = [
  { id: 'city', name: 'City', description: 'Streets, stairs and what they say to those who walk.' },
  { id: 'craft', name: 'Craft', description: 'Things made slowly, and the people who are in no hurry.' },
  { id: 'letterpress', name: 'Letterpress', description: 'Metal, ink, paper, and the white between.' },
  { id: 'weather', name: 'Weather', description: 'What is coming, what it is called, and where to stand.' },
  { id: 'bicycles', name: 'Bicycles', description: 'Two wheels, no timetable.' },
] as const;

/** The tags of the articles, in alphabetical order. */
const TAGS = [...new Set(ARTICLES.flatMap(({ tags }) => tags))].sort();

/** A timestamp: 06:00 UTC on the day before `now`, plus `days`. */
const day = (now: number, days: number): string =>
  new Date(Math.floor(now / DAY) * DAY + (days - 0.75) * DAY).toISOString();

function posts(now: number) {
  return ARTICLES.map(
    ({ slug, title, subtitle, section, author, tags, daysAgo, status = 'PUBLISHED' as const, content }) => ({
      id: `post-${slug}`,
      slug,
      title,
      subtitle,
      content,
      status,
      authorId: author,
      publishedAt: status === 'PUBLISHED' ? day(now, 1 - daysAgo) : null,
      scheduledAt: status === 'SCHEDULED' ? day(now, 1 - daysAgo) : null,
      coverUrl: coverPath(slug),
      categoryIds: [section],
      tagIds: [...tags],
    }),
  );
}
