import type { PostFilter, PostRecord } from '@broadsheet/store';
import { send } from '../access/send.tsx';
import { blogPath, currentBlogVisit, currentNumbers, currentUrl, mayManage, type Routes } from '../access/visit.ts';
import { Button, FormButton } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { currentRange, List, Pages, Tabs } from '../layout/search.tsx';
import { actionColumn, type Columns, Moment, RowLink, State } from '../layout/table.tsx';

const STATUSES = { PUBLISHED: 'published', SCHEDULED: 'scheduled', DRAFT: 'drafts' } as const;
type Status = keyof typeof STATUSES;

export const postListRoutes: Routes = (app, { store }) => {
  app.get('/panel/:blog/posts', async (c) => {
    const { blog, url } = c.get('blogVisit');
    const query = url.searchParams;
    const status = query.get('status') ?? '';
    const search = query.get('q')?.trim();
    const filter = {
      ...(Object.hasOwn(STATUSES, status) && { status: status as Status }),
      ...(search && { search }),
      order: orderOf(query),
    };
    const { items, total } = await store.listAllPosts(blog.id, filter, currentRange(query));
    return send(c, <PostsPage posts={items} total={total} />);
  });
};

function orderOf(query: URLSearchParams): NonNullable<PostFilter['order']> {
  const sort = query.get('sort');
  if (sort === 'title' || sort === '-title') return sort;
  return sort === '-date' ? 'oldest' : 'newest';
}

function PostsPage({ posts, total }: { posts: readonly PostRecord[]; total: number }) {
  const [numbers, url] = [currentNumbers(), currentUrl()];
  const filtered = Boolean(url.searchParams.get('status') || url.searchParams.get('q'));
  const importPath = blogPath('import');
  const none = currentBlogVisit().blog.posts === 0 && (
    <>No posts yet. {mayManage() && <a href={importPath}>Import a Markdown folder, a Ghost export or a snapshot.</a>}</>
  );
  const list = { caption: 'Posts', label: 'Search titles', none, sort: 'date', columns: columnsOf(), rows: posts };
  return (
    <Page title="Posts" here="posts" lead={mayManage() && <Button to={importPath} name="Import posts" />}>
      <List {...list} inOrder>
        <Tabs parameter="status" tabs={[[undefined, 'all'], ...Object.entries(STATUSES)]} />
        {posts.length > 0 && (
          <p class="hint">
            {numbers.count(total)} {filtered && 'matching '}
            {total === 1 ? 'post' : 'posts'}
          </p>
        )}
      </List>
      <Pages total={total} />
    </Page>
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
          <State is={post.status}>{post.status.toLowerCase()}</State>
          <small class="brief">{dateOf(post)}</small>
        </>
      ),
    },
    {
      name: 'Date',
      descending: true,
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
