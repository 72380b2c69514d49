import type { PostRecord } from '@broadsheet/store';
import { type BlogVisit, mayManage, panelPath } from '../access/visit.ts';
import { FormButton, LinkButton } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { List, Pages, Tabs } from '../layout/search.tsx';
import { actionColumn, type Columns, Moment, RowLink } from '../layout/table.tsx';

export const STATUSES = { PUBLISHED: 'published', SCHEDULED: 'scheduled', DRAFT: 'drafts' } as const;
export type Status = keyof typeof STATUSES;

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
  const filtered = Boolean(url.searchParams.get('status') || url.searchParams.get('q'));
  return (
    <>
      <List caption="Posts" label="Search titles" url={url} sort="date" columns={columnsOf(visit)} rows={posts} inOrder>
        <Tabs url={url} parameter="status" tabs={[[undefined, 'all'], ...Object.entries(STATUSES)]} />
        {posts.length > 0 && (
          <p class="hint">
            {numbers.count(total)} {filtered && 'matching '}
            {total === 1 ? 'post' : 'posts'}
          </p>
        )}
      </List>
      <Pages url={url} total={total} size={PAGE_SIZE} />
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
        <RowLink to={path(post)} name={post.title || post.slug}>
          <small class="spare">{post.slug}</small>
        </RowLink>
      ),
    },
    {
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
    actionColumn(
      visit,
      (post) =>
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
    ),
  ];
}
