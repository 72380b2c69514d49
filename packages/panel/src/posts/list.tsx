import type { PostRecord } from '@broadsheet/store';
import { blogPath, currentBlogVisit, currentUrl, mayManage } from '../access/visit.ts';
import { FormButton, LinkButton } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { List, Pages, Tabs } from '../layout/search.tsx';
import { actionColumn, type Columns, Moment, RowLink } from '../layout/table.tsx';

export const STATUSES = { PUBLISHED: 'published', SCHEDULED: 'scheduled', DRAFT: 'drafts' } as const;
export type Status = keyof typeof STATUSES;

export const PAGE_SIZE = 50;

interface PostsPageProps {
  posts: readonly PostRecord[];
  total: number;
}

export function PostsPage({ posts, total }: PostsPageProps) {
  const importPath = blogPath('import');
  return (
    <Page title="Posts" here="posts" lead={mayManage() && <LinkButton to={importPath} name="Import posts" />}>
      {currentBlogVisit().blog.posts > 0 ? (
        <PostList posts={posts} total={total} />
      ) : (
        <p class="empty">
          No posts yet.{' '}
          {mayManage() && <a href={importPath}>Import a Markdown folder, a Ghost export or a snapshot.</a>}
        </p>
      )}
    </Page>
  );
}

function PostList({ posts, total }: PostsPageProps) {
  const { url, numbers } = currentBlogVisit();
  const filtered = Boolean(url.searchParams.get('status') || url.searchParams.get('q'));
  return (
    <>
      <List caption="Posts" label="Search titles" sort="date" columns={columnsOf()} rows={posts} inOrder>
        <Tabs parameter="status" tabs={[[undefined, 'all'], ...Object.entries(STATUSES)]} />
        {posts.length > 0 && (
          <p class="hint">
            {numbers.count(total)} {filtered && 'matching '}
            {total === 1 ? 'post' : 'posts'}
          </p>
        )}
      </List>
      <Pages total={total} size={PAGE_SIZE} />
    </>
  );
}

function dateOf({ status, scheduledAt, publishedAt }: PostRecord) {
  const date = status === 'SCHEDULED' ? scheduledAt : publishedAt;
  return date && <Moment at={date} />;
}

function columnsOf(): Columns<PostRecord> {
  const { pathname, search } = currentUrl();
  return [
    {
      key: 'title',
      name: 'Post',
      by: ({ title }) => title,
      cell: ({ id, title, slug }) => (
        <RowLink to={blogPath('posts', id)} name={title || slug}>
          <small class="spare">{slug}</small>
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
    actionColumn(({ id, status, title }) => {
      if (status === 'PUBLISHED') return null;
      const fields = { post: id, back: pathname + search };
      return <FormButton to="posts.publish" fields={fields} kind="small" name="Publish now" about={title} />;
    }),
  ];
}
