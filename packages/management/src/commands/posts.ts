import { choice, LIMITS, line, optional, text } from '@broadsheet/contract';
import { requireBlog } from '../operations/blogs.ts';
import { notFound, OperationError } from '../operations/operation-error.ts';
import { DAY_START, readTimestamp } from '../operations/timestamps.ts';
import { deleteRow, restoreRow } from './bin.ts';
import { command, flagged, page } from './command.ts';
import { idOf, KINDS, named } from './items.ts';
import { isThisMachine } from './server-url.ts';
import { table } from './text-table.ts';

const CONTENT = ['import'] as const;
const post = idOf('post');
const EXAMPLE = `news ${KINDS.post.sample}`;

/** The commands for posts of any status. */
export const posts = {
  'posts.list': command({
    effect: 'read',
    help: 'list the posts of a blog, including drafts and scheduled posts',
    examples: ['posts list news', 'posts list news --status draft --json'],
    scopes: CONTENT,
    args: {
      status: flagged(
        optional(choice(['PUBLISHED', 'DRAFT', 'SCHEDULED'])),
        'status',
        'only PUBLISHED, DRAFT or SCHEDULED',
      ),
      search: flagged(optional(line), 'text', 'filter by text in title or slug, or by id'),
      ...page('posts'),
    },
    async run({ store, blog }, { limit, offset, ...filter }) {
      const { items, total } = await store.listAllPosts(blog, filter, { limit, offset });
      return { blog, posts: items, total };
    },
    hasTimes: true,
    text: ({ posts: listed }, _, __, written) =>
      table(
        { POST: 'id', STATUS: 'text', DATE: 'text', SLUG: 'id', TITLE: 'text' },
        listed.map(({ id, status, publishedAt, scheduledAt, slug, title }) => {
          return [id, status, written(scheduledAt ?? publishedAt), slug, title];
        }),
        'No posts match.',
      ),
    note: ({ posts: { length }, total }) =>
      length < total ? `${length} of ${total} posts; --offset and --limit show the others` : undefined,
  }),
  'posts.publish': command({
    effect: 'write',
    touches: ['posts'],
    help: 'publish a post, or schedule it',
    examples: [`posts publish ${EXAMPLE}`, `posts publish ${EXAMPLE} --at 2030-01-31T09:00:00Z`],
    scopes: CONTENT,
    args: {
      post,
      at: flagged(
        optional(text({ max: 100 })),
        'date-time',
        'when to publish; a time in the future schedules the post. A date means the start of that day, in the time zone of the blog',
      ),
    },
    async run({ store, blog, now }, { post: id, at }) {
      const { timeZone } = await requireBlog(store, blog);
      const time = at === undefined ? {} : { at: Date.parse(readTimestamp('at', at, DAY_START, timeZone)) };
      return (await store.publishPost(blog, id, { now, ...time })) ?? notFound(blog, 'post', id);
    },
    hasTimes: true,
    text({ id, status, scheduledAt, publishedAt }, _, __, written) {
      const at = written(scheduledAt ?? publishedAt ?? '');
      return status === 'SCHEDULED' ? `${id} will be published at ${at}.` : `Published ${id}, dated ${at}.`;
    },
    log: (published) =>
      published.status === 'SCHEDULED'
        ? `scheduled the post ${named(published)} for ${published.scheduledAt}`
        : `published the post ${named(published)}`,
  }),
  'posts.unpublish': command({
    effect: 'write',
    touches: ['posts'],
    help: 'make a post a draft again; within a second, every server returns 404 for it',
    scopes: CONTENT,
    args: { post },
    run: async ({ store, blog, now }, { post: id }) =>
      (await store.unpublishPost(blog, id, now)) ?? notFound(blog, 'post', id),
    log: (draft) => `unpublished the post ${named(draft)}`,
  }),
  'posts.preview': command({
    effect: 'write',
    touches: ['previews'],
    help: 'print a link that shows a post of any status on its site for 24 hours',
    examples: [`posts preview ${EXAMPLE} --url https://site.example/preview`],
    scopes: CONTENT,
    args: { post, url: flagged(text(LIMITS.url), 'url', 'page of the site that shows previews') },
    async run({ store, blog, now }, { post: id, url }) {
      const link = readPreviewPage(url);
      link.searchParams.set('token', (await store.createPreviewToken(blog, id, now)) ?? notFound(blog, 'post', id));
      return { blog, post: id, url: link.href };
    },
    text: ({ url }) => url,
    note: () => 'This link opens the post for 24 hours. Anyone who has it can read the post.',
    log: ({ post: id }) => `created a preview link of the post ${id}`,
  }),
  'posts.delete': deleteRow('post'),
  'posts.restore': restoreRow('post'),
};

/** The page of a site that shows previews. The token is a credential, so it must not cross a network unencrypted. */
function readPreviewPage(url: string): URL {
  const site = URL.canParse(url) ? new URL(url) : undefined;
  if (site?.protocol === 'https:' || (site?.protocol === 'http:' && isThisMachine(site.hostname))) return site;
  const message = `expected a page of your site, such as https://site.example/preview; received ${JSON.stringify(url)}`;
  throw new OperationError([{ at: 'url', message }]);
}
