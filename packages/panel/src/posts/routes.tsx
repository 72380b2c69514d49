import {
  listPosts,
  previewLink,
  publishPost,
  requirePost,
  type ServerStore,
  unpublishPost,
} from '@broadsheet/management';
import type { PostFilter } from '@broadsheet/store';
import type { Hono } from 'hono';
import { raw } from 'hono/html';
import { marked } from 'marked';
import { type PanelContext, type PanelEnv, textOf } from '../access/guard.tsx';
import { goTo, send, TEXT_POLICY } from '../access/send.ts';
import { logChange, named, panelPath } from '../access/visit.ts';
import { numbersOf } from '../figures/numbers.ts';
import { safeReturn } from '../layout/address.ts';
import { readPage } from '../layout/search.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { PAGE_SIZE, PostsPage, STATUSES, type Status } from './list.tsx';
import { PostPage } from './post.tsx';

const findPost = (store: ServerStore, c: PanelContext) =>
  requirePost(store, c.get('blogVisit').blog.id, c.req.param('post') ?? '');

export function postRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/:blog/posts', async (c) => {
    const visit = c.get('blogVisit');
    const query = visit.url.searchParams;
    const status = query.get('status') ?? '';
    const { items, total } = await listPosts(store, visit.blog.id, {
      ...(Object.hasOwn(STATUSES, status) && { status: status as Status }),
      ...(query.get('q')?.trim() && { search: query.get('q')?.trim() }),
      order: orderOf(query),
      offset: (readPage(query) - 1) * PAGE_SIZE,
      limit: PAGE_SIZE,
    });
    return send(<PostsPage visit={visit} posts={items} total={total} />);
  });

  app.get('/panel/:blog/posts/:post', async (c) => {
    return send(<PostPage visit={c.get('blogVisit')} post={await findPost(store, c)} />);
  });

  app.get('/panel/:blog/posts/:post/text', async (c) => {
    const post = await findPost(store, c);
    return send(<Text title={post.title} html={await marked(post.content)} />, { policy: TEXT_POLICY });
  });

  publishingRoutes(app, store);
  previewRoute(app, store);
}

function publishingRoutes(app: Hono<PanelEnv>, store: ServerStore): void {
  app.post('/panel/:blog/posts/:post/publish', async (c) => {
    const visit = c.get('blogVisit');
    const { blog, now } = visit;
    const post = await publishPost(store, blog.id, c.req.param('post'), { at: new Date(now).toISOString(), now });
    await logChange(store, visit, `published the post ${named(post)}`);
    return goTo(safeReturn(c.get('form')['back'], panelPath(blog.id, 'posts', post.id), 'published'));
  });

  app.post('/panel/:blog/posts/:post/schedule', async (c) => {
    const visit = c.get('blogVisit');
    const at = textOf(c.get('form'), 'at');
    const post = await findPost(store, c);
    c.set('again', (problems) => <PostPage visit={visit} post={post} problems={problems} typed={at} />);
    const { now } = visit;
    const { status, scheduledAt, publishedAt } = await publishPost(store, visit.blog.id, post.id, { at, now });
    // In UTC, because the typed time may have another time zone.
    const when = numbersOf('en').moment(scheduledAt ?? publishedAt ?? '');
    await logChange(store, visit, `scheduled the post ${named(post)} for ${when}`);
    const done = status === 'SCHEDULED' ? 'scheduled' : 'published';
    return goTo(`${panelPath(visit.blog.id, 'posts', post.id)}?done=${done}`);
  });

  app.post('/panel/:blog/posts/:post/unpublish', async (c) => {
    const visit = c.get('blogVisit');
    const post = await unpublishPost(store, visit.blog.id, c.req.param('post'), visit.now);
    await logChange(store, visit, `unpublished the post ${named(post)}`);
    return goTo(`${panelPath(visit.blog.id, 'posts', post.id)}?done=unpublished`);
  });
}

function previewRoute(app: Hono<PanelEnv>, store: ServerStore): void {
  app.post('/panel/:blog/posts/:post/preview', async (c) => {
    const visit = c.get('blogVisit');
    const url = textOf(c.get('form'), 'url');
    const post = await findPost(store, c);
    c.set('again', (problems) => <PostPage visit={visit} post={post} problems={problems} preview={{ url }} />);
    const link = await previewLink(store, visit.blog.id, post.id, { url, now: visit.now });
    await logChange(store, visit, `created a preview link of the post ${named(post)}`);
    return send(<PostPage visit={visit} post={post} preview={{ url, link }} />);
  });
}

function orderOf(query: URLSearchParams): NonNullable<PostFilter['order']> {
  const sort = query.get('sort');
  if (sort === 'title' || sort === '-title') return sort;
  return sort === '-date' ? 'oldest' : 'newest';
}

/** The text of a post as a separate document. It contains the markup of the author; the policy prevents scripts. */
function Text({ title, html }: { title: string; html: string }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="stylesheet" href="/panel/assets/panel.css" />
      </head>
      <body>
        <div class="post-text">{raw(html)}</div>
      </body>
    </html>
  );
}
