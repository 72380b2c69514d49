import type { Snapshot, SnapshotBlog } from '@broadsheet/contract';
import { type ContentProblem, quote } from './problem.ts';
import { repeats } from './repeats.ts';

/** What a schema cannot see: things that contradict each other within a snapshot. */
export function checkSnapshot(snapshot: Snapshot): ContentProblem[] {
  const problems: ContentProblem[] = [];
  problems.push(...repeats(snapshot.blogs, 'id', (index) => `blogs.${index}`));
  snapshot.blogs.forEach((blog, index) => {
    problems.push(...checkBlog(blog, `blogs.${index}`));
  });
  return [...problems, ...sharedKeys(snapshot.blogs)];
}

function checkBlog(blog: SnapshotBlog, at: string): ContentProblem[] {
  const item = (list: string) => (index: number) => `${at}.${list}.${index}`;
  return [
    ...badDomains(blog.domains, `${at}.domains`),
    ...repeats(blog.categories, 'id', item('categories')),
    ...repeats(blog.tags, 'id', item('tags')),
    ...repeats(blog.posts, 'id', item('posts')),
    ...repeats(blog.posts, 'slug', item('posts')),
    ...repeats(blog.ads, 'id', item('ads')),
    ...unknownIds(blog, at),
    ...windowsInReverse(blog, at),
  ];
}

function unknownIds(blog: SnapshotBlog, at: string): ContentProblem[] {
  const lists = [
    { field: 'categoryIds', known: new Set(blog.categories.map(({ id }) => id)), list: 'categories' },
    { field: 'tagIds', known: new Set(blog.tags.map(({ id }) => id)), list: 'tags' },
  ] as const;
  return blog.posts.flatMap((post, index) =>
    lists.flatMap(({ field, known, list }) =>
      post[field].flatMap((id, place) =>
        known.has(id)
          ? []
          : [
              {
                at: `${at}.posts.${index}.${field}.${place}`,
                message: `${quote(id)} is not in ${at}.${list}; add it there, or remove it here`,
              },
            ],
      ),
    ),
  );
}

function windowsInReverse(blog: SnapshotBlog, at: string): ContentProblem[] {
  return blog.ads.flatMap(({ startsAt, endsAt }, index) =>
    startsAt !== null && endsAt !== null && Date.parse(endsAt) < Date.parse(startsAt)
      ? [
          {
            at: `${at}.ads.${index}.endsAt`,
            message: `${endsAt} is before startsAt (${startsAt}); the ad would never run`,
          },
        ]
      : [],
  );
}

const domain =
  /^(?:\*\.)?(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?)(?:\.[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?)*(?::(\d{1,5}))?$/u;
const ipv6 = /^\[[\da-fA-F:.]+\](?::(\d{1,5}))?$/;

function badDomains(domains: readonly string[], at: string): ContentProblem[] {
  return domains.flatMap((value, index) => {
    const match = domain.exec(value) ?? ipv6.exec(value);
    const port = match?.[1];
    if (match && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535))) return [];
    return [
      {
        at: `${at}.${index}`,
        message: `${quote(value)} is not a domain; write a host such as "example.com", "localhost:3000" or "*.example.com"`,
      },
    ];
  });
}

/** A key opens one blog, and it must fit in a header. The keys themselves are secrets: no message repeats one. */
function sharedKeys(blogs: readonly SnapshotBlog[]): ContentProblem[] {
  const owner = new Map<string, number>();
  return blogs.flatMap((blog, blogIndex) =>
    blog.apiKeys.flatMap((key, index) => {
      const at = `blogs.${blogIndex}.apiKeys.${index}`;
      if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)) {
        return [{ at, message: 'cannot be sent in a header; use visible ASCII characters' }];
      }
      const before = owner.get(key);
      if (before === undefined) owner.set(key, blogIndex);
      return before === undefined || before === blogIndex
        ? []
        : [{ at, message: `is a key of blogs.${before} too; a key opens one blog` }];
    }),
  );
}
