import { isDomain } from '@broadsheet/contract';
import { type ContentProblem, quote } from '../problem.ts';
import type { CheckedBlog } from './loose-snapshot.ts';

/** What a schema cannot see: things that contradict each other within a snapshot. */
export function checkSnapshot(blogs: readonly CheckedBlog[]): ContentProblem[] {
  return [
    ...repeats(blogs, 'id', (index) => `blogs.${index}`),
    ...blogs.flatMap((blog, index) => checkBlog(blog, `blogs.${index}`)),
    ...sharedKeys(blogs),
  ];
}

function checkBlog(blog: CheckedBlog, at: string): ContentProblem[] {
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

function unknownIds(blog: CheckedBlog, at: string): ContentProblem[] {
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

function windowsInReverse(blog: CheckedBlog, at: string): ContentProblem[] {
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

function badDomains(domains: readonly string[], at: string): ContentProblem[] {
  return domains.flatMap((value, index) =>
    isDomain(value)
      ? []
      : [
          {
            at: `${at}.${index}`,
            message: `${quote(value)} is not a domain; write a host such as "example.com", "localhost:3000" or "*.example.com"`,
          },
        ],
  );
}

/** A key opens one blog, and it must fit in a header. The keys themselves are secrets: no message repeats one. */
function sharedKeys(blogs: readonly CheckedBlog[]): ContentProblem[] {
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

/** Items that have the same value in a field as one before them; `at` names an item by its index. */
export function repeats<K extends string>(
  items: readonly Record<K, string>[],
  field: K,
  at: (index: number) => string,
): ContentProblem[] {
  const first = new Map<string, number>();
  return items.flatMap((item, index) => {
    const value = item[field];
    const before = first.get(value);
    if (before === undefined) {
      first.set(value, index);
      return [];
    }
    return [{ at: `${at(index)}.${field}`, message: `${quote(value)} is taken by ${at(before)}; give it another` }];
  });
}
