import { equal, holds, matches } from './expect.ts';

type Check = (value: unknown, at: string) => void;

const text: Check = (value, at) => equal(typeof value, 'string', `${at} (type)`);
const integer: Check = (value, at) => holds(Number.isInteger(value), `${at} is an integer`);
const moment: Check = (value, at) => matches(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, at);
const nullable =
  (check: Check): Check =>
  (value, at) => {
    if (value !== null) check(value, at);
  };
const list =
  (check: Check): Check =>
  (value, at) => {
    holds(Array.isArray(value), `${at} is an array`);
    for (const [index, item] of value.entries()) check(item, `${at}.${index}`);
  };

/** An object with these fields and no other. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  return (value, at) => {
    holds(typeof value === 'object' && value !== null, `${at} is an object`);
    equal(Object.keys(value).sort(), Object.keys(checks).sort(), `${at}: fields`);
    for (const [name, check] of Object.entries(checks))
      check((value as Record<string, unknown>)[name], `${at}.${name}`);
  };
}

const published: Check = (value, at) => equal(value, 'PUBLISHED', at);
const dates = { createdAt: moment, updatedAt: moment };
const count = fields({ posts: integer });

/** The resources of section 2, field by field. */
export const shapes = {
  post: fields({
    id: text,
    title: text,
    subtitle: text,
    content: text,
    slug: text,
    status: published,
    publishedAt: nullable(moment),
    scheduledAt: nullable(moment),
    blogId: text,
    authorId: text,
    ...dates,
    categories: list(fields({ id: text, name: text, description: text, blogId: text })),
    tags: list(fields({ id: text, name: text, blogId: text })),
  }),
  category: fields({ id: text, name: text, description: text, blogId: text, ...dates, _count: count }),
  tag: fields({ id: text, name: text, blogId: text, ...dates, _count: count }),
  found: fields({
    id: text,
    title: text,
    subtitle: nullable(text),
    slug: text,
    coverUrl: nullable(text),
    publishedAt: nullable(moment),
  }),
  searchMeta: fields({ q: text, limit: integer, offset: integer, count: integer }),
};

/** Checks an item of the posts of a category or a tag, which may carry only a part of the fields. */
export const summary: Check = (value, at) => {
  const { id, title, slug, status, publishedAt } = value as Record<string, unknown>;
  for (const part of [id, title, slug]) text(part, at);
  published(status, `${at}.status`);
  nullable(moment)(publishedAt, `${at}.publishedAt`);
};
