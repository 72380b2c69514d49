import type { PostRecord } from '@broadsheet/store';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { withQuery } from '../layout/address.ts';
import { LinkButton } from '../layout/button.tsx';
import { FormButton } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { Pages, readPage, SearchBar, Tabs } from '../layout/search.tsx';
import { type Columns, Moment, Table } from '../layout/table.tsx';

export const STATUSES = { PUBLISHED: 'published', SCHEDULED: 'scheduled', DRAFT: 'drafts' } as const;
export type Status = keyof typeof STATUSES;

/** Posts on one page. */
export const PAGE_SIZE = 50;

interface PostsPageProps {
  visit: BlogVisit;
  posts: readonly PostRecord[];
  total: number;
}

export function PostsPage({ visit, posts, total }: PostsPageProps) {
  const { blog } = visit;
  const importPath = panelPath(blog.id, 'import');
  const manages = mayManage(visit);
  return (
    <Page visit={visit} title="Posts" here="posts" lead={manages && <LinkButton to={importPath} name="Import posts" />}>
      {blog.posts > 0 ? (
        <PostList visit={visit} posts={posts} total={total} />
      ) : (
        <p class="empty">
          No posts yet. {manages && <a href={importPath}>Import a Markdown folder, a Ghost export or a snapshot.</a>}
        </p>
      )}
    </Page>
  );
}

function PostList({ visit, posts, total }: PostsPageProps) {
  const { url, numbers } = visit;
  const status = url.searchParams.get('status') ?? undefined;
  const filtered = Boolean(status || url.searchParams.get('q'));
  return (
    <>
      <SearchBar url={url} label="Search titles" />
      <Tabs
        label="Status"
        tabs={[undefined, ...(Object.keys(STATUSES) as Status[])].map((one) => ({
          name: one ? STATUSES[one] : 'all',
          href: withQuery(url, { status: one, page: undefined }),
          current: status === one,
        }))}
      />
      {posts.length === 0 ? (
        <p class="empty">
          No matching posts. <a href={url.pathname}>Show all posts</a>
        </p>
      ) : (
        <>
          <p class="hint">
            {numbers.count(total)} {filtered && 'matching '}
            {total === 1 ? 'post' : 'posts'}
          </p>
          <Table caption="Posts" url={url} sort="date" columns={columnsOf(visit)} rows={posts} inOrder />
        </>
      )}
      <Pages
        page={readPage(url.searchParams)}
        last={Math.ceil(total / PAGE_SIZE)}
        to={(number) => withQuery(url, { page: String(number) })}
      />
    </>
  );
}

function columnsOf(visit: BlogVisit): Columns<PostRecord> {
  const path = (post: PostRecord, ...rest: string[]) => panelPath(visit.blog.id, 'posts', post.id, ...rest);
  const dateOf = ({ status, scheduledAt, publishedAt }: PostRecord) => {
    const date = status === 'SCHEDULED' ? scheduledAt : publishedAt;
    return date && <Moment at={date} numbers={visit.numbers} />;
  };
  return [
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
    mayManage(visit) && {
      key: 'change',
      name: 'Actions',
      numeric: true,
      cell: (post) =>
        post.status !== 'PUBLISHED' && (
          <FormButton
            visit={visit}
            to={path(post, 'publish')}
            kind="small"
            name="Publish now"
            about={post.title}
            fields={{ back: visit.url.pathname + visit.url.search }}
          />
        ),
    },
  ];
}
