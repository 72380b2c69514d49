/** @jsxImportSource hono/jsx */
import type { PostRecord } from '@broadsheet/store';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { numbersOf } from '../figures/numbers.ts';
import { withQuery } from '../layout/address.ts';
import { Form } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { Pages, readPage, SearchBar, Tabs } from '../layout/search.tsx';
import { type Column, Moment, Table } from '../layout/table.tsx';

export const STATUSES = { PUBLISHED: 'published', SCHEDULED: 'scheduled', DRAFT: 'drafts' } as const;
export type Status = keyof typeof STATUSES;

/** Posts on one page. */
export const PAGE_SIZE = 50;

export function PostsPage({ visit, posts, total }: { visit: BlogVisit; posts: readonly PostRecord[]; total: number }) {
  const { url, blog } = visit;
  const numbers = numbersOf(visit.locale);
  const status = url.searchParams.get('status');
  const filtered = Boolean(status || url.searchParams.get('q'));
  const page = readPage(url.searchParams);
  return (
    <Page
      visit={visit}
      title="Posts"
      here="posts"
      lead={
        mayManage(visit) && (
          <a class="button" href={panelPath(blog.id, 'import')}>
            Import posts
          </a>
        )
      }
    >
      {blog.posts === 0 ? (
        <p class="empty">
          There is no post yet.{' '}
          {mayManage(visit) && (
            <a href={panelPath(blog.id, 'import')}>Import a folder of Markdown, a Ghost export or a snapshot.</a>
          )}
        </p>
      ) : (
        <>
          <SearchBar url={url} label="Search titles" />
          <Tabs
            label="Status"
            tabs={[undefined, ...(Object.keys(STATUSES) as Status[])].map((one) => ({
              name: one ? STATUSES[one] : 'all',
              href: withQuery(url, { status: one, page: undefined }),
              current: (status ?? undefined) === one,
            }))}
          />
          <p class="hint">
            {numbers.count(total)} {total === 1 ? 'post' : 'posts'}
            {filtered && ' like that'}
          </p>
          {posts.length === 0 ? (
            <p class="empty">
              Nothing here. <a href={url.pathname}>Show all posts</a>
            </p>
          ) : (
            <Table caption="Posts" url={url} sort="date" columns={columnsOf(visit)} rows={posts} inOrder />
          )}
          <Pages
            page={page}
            last={Math.ceil(total / PAGE_SIZE)}
            to={(number) => withQuery(url, { page: String(number) })}
          />
        </>
      )}
    </Page>
  );
}

function columnsOf(visit: BlogVisit): Column<PostRecord>[] {
  const numbers = numbersOf(visit.locale);
  const path = (post: PostRecord, ...rest: string[]) => panelPath(visit.blog.id, 'posts', post.id, ...rest);
  const dateOf = ({ status, scheduledAt, publishedAt }: PostRecord) => {
    const date = status === 'SCHEDULED' ? scheduledAt : publishedAt;
    return date && <Moment at={date} numbers={numbers} />;
  };
  const columns: Column<PostRecord>[] = [
    {
      key: 'title',
      name: 'Post',
      by: ({ title }) => title,
      cell: (post) => (
        <a class="row" href={path(post)}>
          {post.title || post.slug} <small class="spare">{post.slug}</small>
        </a>
      ),
    },
    {
      key: 'status',
      name: 'Status',
      cell: (post) => (
        <>
          <span class={`state ${post.status}`}>{post.status.toLowerCase()}</span>
          <small class="brief">{dateOf(post)}</small>
        </>
      ),
    },
    {
      key: 'date',
      name: 'Date',
      falling: true,
      spare: true,
      by: ({ publishedAt }) => publishedAt ?? '',
      cell: (post) => dateOf(post) ?? '–',
    },
  ];
  if (mayManage(visit))
    columns.push({
      key: 'change',
      name: 'Change',
      numeric: true,
      cell: (post) =>
        post.status !== 'PUBLISHED' && (
          <Form visit={visit} to={path(post, 'publish')}>
            <input type="hidden" name="back" value={visit.url.pathname + visit.url.search} />
            <button class="button small" type="submit">
              Publish now<span class="unseen"> {post.title}</span>
            </button>
          </Form>
        ),
    });
  return columns;
}
