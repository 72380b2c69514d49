import { AD_FORMATS } from '../../packages/contract/src/index.ts';

/** The blogs of a run, and the facts about them that the checker needs. */
export interface ProvenBlog {
  readonly id: string;
  readonly timeZone: string;
  readonly apiKey: string;
  /** Posts whose title is their version. */
  readonly titled: readonly string[];
  /** Posts that are published and unpublished. */
  readonly toggled: readonly string[];
  readonly campaigns: readonly ProvenCampaign[];
  /** The format of each ad, and its campaign if it has one. */
  readonly ads: Readonly<Record<string, { readonly format: string; readonly campaign?: string }>>;
}

export interface ProvenCampaign {
  readonly id: string;
  readonly goal: number;
  readonly perDay?: number;
}

const POSTS = 20;
const ids = (count: number, letter: string) => Array.from({ length: count }, (_, index) => `${letter}${index}`);
const adId = (blog: number, ad: number) => `00000000-0000-4000-8000-0000000${blog}${String(ad).padStart(4, '0')}`;

/** Days that end at different times: a clock that is moved crosses more than one midnight. */
const ZONES = ['UTC', 'America/New_York'];

export const BLOGS: readonly ProvenBlog[] = ZONES.map((timeZone, blog) => ({
  id: `blog-${blog}`,
  timeZone,
  apiKey: `prove-key-${blog}-0`,
  titled: ids(POSTS, 't'),
  toggled: ids(POSTS, 'x'),
  campaigns: [
    { id: 'capped', goal: 2_000, perDay: 150 },
    { id: 'sold', goal: 700 },
  ],
  ads: Object.fromEntries(
    AD_FORMATS.flatMap((format, at) => [
      [adId(blog, at * 3), { format }] as const,
      [adId(blog, at * 3 + 1), { format, campaign: 'capped' }] as const,
      [adId(blog, at * 3 + 2), { format, campaign: 'sold' }] as const,
    ]),
  ),
}));

/** A word that is in the title of every post, so that a search finds them all. */
export const COMMON_WORD = 'edition';
const title = (version: number): string => `${COMMON_WORD} ${version}`;
export const versionOf = (text: string): number => Number(text.slice(COMMON_WORD.length));

/** A post with the version as its title. */
export const post = (id: string, version: number) => ({
  id,
  slug: id,
  title: title(version),
  status: 'PUBLISHED',
  publishedAt: '2026-01-01T00:00:00.000Z',
});

/** A blog as a snapshot. */
export const snapshotOf = ({ id, timeZone, apiKey, titled, toggled, campaigns, ads }: ProvenBlog) => ({
  ...{ id, name: id, timeZone, domains: [], apiKeys: [apiKey] },
  ...{ categories: [], tags: [] },
  posts: [...titled, ...toggled].map((name) => post(name, 1)),
  campaigns: campaigns.map(({ id: campaign, goal, perDay }) => ({
    ...{ id: campaign, sponsor: campaign, name: campaign, pace: 'fast', goal: { impressions: goal } },
    ...(perDay !== undefined && { perDay }),
  })),
  ads: Object.entries(ads).map(([ad, { format, campaign }]) => ({
    ...{ id: ad, format, priority: campaign === undefined ? 0 : 1, title: ad.slice(-4) },
    ...(campaign !== undefined && { campaignId: campaign }),
  })),
});
