import type { SnapshotPost } from '@broadsheet/contract';
import { requireItem, type ServerStore } from '@broadsheet/management';
import type { PostFilter, PostRecord } from '@broadsheet/store';
import { raw } from 'hono/html';
import { commandForms } from '../access/command-forms.ts';
import type { Routes } from '../access/routes.ts';
import { send, TEXT_POLICY } from '../access/send.tsx';
import { type PanelContext, partOf } from '../access/visit.ts';
import { pageNumberOf } from '../layout/search.tsx';
import { PAGE_SIZE, PostsPage, STATUSES, type Status } from './list.tsx';
import { PostPage } from './post.tsx';
import { renderText } from './render-text.ts';

const findPost = (store: ServerStore, c: PanelContext) =>
  requireItem(store, 'post', c.get('blogVisit').blog.id, partOf(c, 'post'));

export const postRoutes: Routes = (app, options) => {
  const { store } = options;
  app.get('/panel/:blog/posts', async (c) => {
    const { blog, url } = c.get('blogVisit');
    const query = url.searchParams;
    const status = query.get('status') ?? '';
    const filter = {
      ...(Object.hasOwn(STATUSES, status) && { status: status as Status }),
      ...(query.get('q')?.trim() && { search: query.get('q')?.trim() }),
      order: orderOf(query),
    };
    const range = { offset: (pageNumberOf(query) - 1) * PAGE_SIZE, limit: PAGE_SIZE };
    const { items, total } = await store.listAllPosts(blog.id, filter, range);
    return send(c, <PostsPage posts={items} total={total} />);
  });

  app.get('/panel/:blog/posts/:post', async (c) => send(c, <PostPage post={await findPost(store, c)} />));

  app.get('/panel/:blog/posts/:post/text', async (c) => {
    const post = await findPost(store, c);
    return send(c, <Text post={post} html={renderText(post.content)} />, { policy: TEXT_POLICY });
  });

  commandForms(app, options, {
    'posts.publish': {
      page: 'posts/:post',
      // Without a time, the post is published now, whatever its date.
      args: ({ typed, visit }) => ({ at: new Date(visit.now).toISOString(), ...typed }),
      shows: ({ status }: PostRecord) => ({ done: status === 'SCHEDULED' ? 'scheduled' : 'published' }),
    },
    'posts.unpublish': { page: 'posts/:post', shows: { done: 'unpublished' } },
    'posts.preview': {
      page: 'posts/:post',
      shows: ({ url }: { url: string }) => ({
        secret: { name: 'the link', value: url, text: <PreviewLink url={url} /> },
      }),
    },
  });
};

function PreviewLink({ url }: { url: string }) {
  return (
    <>
      <a href={url} target="_blank" rel="noreferrer">
        Open the preview
      </a>
      . Anyone who has this link can read the post for 24 hours.
    </>
  );
}

function orderOf(query: URLSearchParams): NonNullable<PostFilter['order']> {
  const sort = query.get('sort');
  if (sort === 'title' || sort === '-title') return sort;
  return sort === '-date' ? 'oldest' : 'newest';
}

/**
 * The text of a post as a separate document, or its source if it cannot be rendered. It contains the markup of the
 * author; the policy prevents scripts.
 */
function Text({ post: { title, content }, html }: { post: SnapshotPost; html: string | undefined }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="stylesheet" href="/panel/assets/panel.css" />
      </head>
      <body>
        <div class="post-text">
          {html === undefined ? (
            <>
              <p>This text takes too long to render, so its source is shown.</p>
              <pre>{content}</pre>
            </>
          ) : (
            raw(html)
          )}
        </div>
      </body>
    </html>
  );
}
