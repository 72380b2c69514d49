import { isDomain, type Partly, type SnapshotBlog } from '@broadsheet/contract';
import { type ContentProblem, quote } from '../problem.ts';

type Blog = Partly<SnapshotBlog>;

/** Finds contradictions within a snapshot, which a schema cannot find. Values that the schema refused are left out. */
export function checkSnapshot(blogs: readonly Blog[]): ContentProblem[] {
  return [
    ...repeats(blogs, 'id', (index) => `blogs.${index}`),
    ...blogs.flatMap((blog, index) => (blog ? checkBlog(blog, `blogs.${index}`) : [])),
    ...sharedKeys(blogs),
  ];
}

function checkBlog(blog: NonNullable<Blog>, at: string): ContentProblem[] {
  const { domains = [], categories = [], tags = [], posts = [], campaigns = [], ads = [] } = blog;
  const item = (list: string) => (index: number) => `${at}.${list}.${index}`;
  return [
    ...badDomains(domains, `${at}.domains`),
    ...repeats(categories, 'id', item('categories')),
    ...repeats(tags, 'id', item('tags')),
    ...repeats(posts, 'id', item('posts')),
    ...repeats(posts, 'slug', item('posts')),
    ...repeats(campaigns, 'id', item('campaigns')),
    ...repeats(ads, 'id', item('ads')),
    ...unknownCampaigns(blog, at),
    ...wrongGoals(campaigns, `${at}.campaigns`),
    ...unknownIds(blog, 'categories', at),
    ...unknownIds(blog, 'tags', at),
    ...windowsInReverse(ads, `${at}.ads`, 'ad'),
    ...windowsInReverse(campaigns, `${at}.campaigns`, 'campaign'),
  ];
}

function unknownIds({ posts = [], ...labels }: NonNullable<Blog>, list: 'categories' | 'tags', at: string) {
  const ids = labels[list]?.map((label) => label?.id) ?? [];
  // A category without a valid id may be the one that a post names.
  if (ids.includes(undefined)) return [];
  const known = new Set(ids);
  const field = list === 'tags' ? 'tagIds' : 'categoryIds';
  return posts.flatMap((post, index) =>
    (post?.[field] ?? []).flatMap((id, place) => {
      if (id === undefined || known.has(id)) return [];
      const message = `${quote(id)} is not in ${at}.${list}; add it there, or remove it here`;
      return [{ at: `${at}.posts.${index}.${field}.${place}`, message }];
    }),
  );
}

function unknownCampaigns({ campaigns = [], ads = [] }: NonNullable<Blog>, at: string): ContentProblem[] {
  const ids = campaigns.map((campaign) => campaign?.id);
  if (ids.includes(undefined)) return [];
  return ads.flatMap((ad, index) => {
    if (ad?.campaignId === undefined || ids.includes(ad.campaignId)) return [];
    const message = `${quote(ad.campaignId)} is not in ${at}.campaigns; add it there, or remove it here`;
    return [{ at: `${at}.ads.${index}.campaignId`, message }];
  });
}

function wrongGoals(campaigns: NonNullable<NonNullable<Blog>['campaigns']>, at: string): ContentProblem[] {
  return campaigns.flatMap((campaign, index) => {
    const { goal } = campaign ?? {};
    if (!goal || Object.keys(goal).length === 1) return [];
    return [{ at: `${at}.${index}.goal`, message: 'a campaign has one goal; specify either impressions or clicks' }];
  });
}

function windowsInReverse(
  items: readonly Partly<{ startsAt: string | null; endsAt: string | null }>[],
  at: string,
  what: 'ad' | 'campaign',
): ContentProblem[] {
  return items.flatMap((item, index) => {
    const { startsAt, endsAt } = item ?? {};
    if (!startsAt || !endsAt || Date.parse(endsAt) >= Date.parse(startsAt)) return [];
    return [
      {
        at: `${at}.${index}.endsAt`,
        message: `${endsAt} is before startsAt (${startsAt}); the ${what} would never run`,
      },
    ];
  });
}

function badDomains(domains: readonly (string | undefined)[], at: string): ContentProblem[] {
  return domains.flatMap((value, index) => {
    if (value === undefined || isDomain(value)) return [];
    const expected = 'write a host such as "example.com", "localhost:3000" or "*.example.com"';
    return [{ at: `${at}.${index}`, message: `${quote(value)} is not a domain; ${expected}` }];
  });
}

/** A key belongs to one blog and must be valid in a header. Keys are secrets, so no message contains one. */
function sharedKeys(blogs: readonly Blog[]): ContentProblem[] {
  const owner = new Map<string, number>();
  return blogs.flatMap((blog, blogIndex) =>
    (blog?.apiKeys ?? []).flatMap((key, index) => {
      if (key === undefined) return [];
      const at = `blogs.${blogIndex}.apiKeys.${index}`;
      if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)) {
        return [{ at, message: 'cannot be sent in a header; use visible ASCII characters' }];
      }
      const before = owner.get(key);
      if (before === undefined) owner.set(key, blogIndex);
      return before === undefined || before === blogIndex
        ? []
        : [{ at, message: `is also a key of blogs.${before}; a key gives access to one blog` }];
    }),
  );
}

/** Items that have the same value in a field as an earlier item; `at` returns the path of an item by its index. */
export function repeats<K extends string>(
  items: readonly (Partial<Record<K, string | undefined>> | undefined)[],
  field: K,
  at: (index: number) => string,
): ContentProblem[] {
  const first = new Map<string, number>();
  return items.flatMap((item, index) => {
    const value = item?.[field];
    if (value === undefined) return [];
    const before = first.get(value);
    if (before === undefined) {
      first.set(value, index);
      return [];
    }
    return [{ at: `${at(index)}.${field}`, message: `${quote(value)} is taken by ${at(before)}; choose another` }];
  });
}
