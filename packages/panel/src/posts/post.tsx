import type { SnapshotPost } from '@broadsheet/contract';
import { localTime } from '@broadsheet/core';
import { requireItem } from '@broadsheet/management';
import type { PostRecord, SqlStore } from '@broadsheet/store';
import { raw } from 'hono/html';
import { commandForms } from '../access/command-forms.ts';
import { send, TEXT_POLICY } from '../access/send.tsx';
import { showOnce } from '../access/sent.ts';
import {
  blogPath,
  currentBlogVisit,
  currentNumbers,
  mayManage,
  type PanelContext,
  partOf,
  type Routes,
} from '../access/visit.ts';
import { Field, Form, FormButton, isResponseTo } from '../layout/form.tsx';
import { BaseMeta } from '../layout/head.tsx';
import { Page, Section } from '../layout/page.tsx';
import { State } from '../layout/table.tsx';
import { DeleteButton } from '../pages/bin.tsx';
import { renderText } from './render-text.ts';

const findPost = (store: SqlStore, c: PanelContext) =>
  requireItem(store, 'post', c.get('blogVisit').blog.id, partOf(c, 'post'));

export const postRoutes: Routes = (app, options) => {
  const { store } = options;
  app.get('/panel/:blog/posts/:post', async (c) => send(c, <PostPage post={await findPost(store, c)} />));

  app.get('/panel/:blog/posts/:post/text', async (c) => {
    const post = await findPost(store, c);
    return send(c, <Text post={post} html={renderText(post.content)} />, { policy: TEXT_POLICY });
  });

  commandForms(app, options, 'posts/:post', {
    'posts.publish': {
      // Without a time, the post is published now, regardless of its date.
      args: ({ typed, visit }) => ({ at: new Date(visit.now).toISOString(), ...typed }),
      shows: ({ status }: PostRecord) => ({ done: status === 'SCHEDULED' ? 'scheduled' : 'published' }),
    },
    'posts.unpublish': { shows: { done: 'unpublished' } },
    'posts.preview': {
      shows: ({ url }: { url: string }) => showOnce('the link', url, <PreviewLink url={url} />),
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

/**
 * The text of a post as a separate document, or its source if it cannot be rendered. It contains the markup of the
 * author; the policy prevents scripts.
 */
function Text({ post: { title, content }, html }: { post: SnapshotPost; html: string | undefined }) {
  return (
    <html lang="en">
      <head>
        <BaseMeta />
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

function PostPage({ post }: { post: SnapshotPost }) {
  const { moment } = currentNumbers();
  const when =
    post.status === 'SCHEDULED'
      ? post.scheduledAt && `for ${moment(post.scheduledAt)}`
      : post.publishedAt && `on ${moment(post.publishedAt)}`;
  const state = (
    <State is={post.status}>
      {post.status.toLowerCase()} {post.status !== 'DRAFT' && when}
    </State>
  );
  const text = blogPath('posts', post.id, 'text');
  return (
    <Page title={post.title || post.slug} here="posts" labels={{ at: 'Date and time', url: 'Page' }} lead={state}>
      {post.subtitle && <p class="lead">{post.subtitle}</p>}
      {mayManage() && <PostActions post={post} />}
      {mayManage() && <PreviewForm post={post} />}
      <Section id="reads" title="Text">
        <p class="hint">
          Shown without the design of your site. Slug: <code>{post.slug}</code>
        </p>
        <iframe class="text" src={text} sandbox="" title="The text of the post" />
      </Section>
    </Page>
  );
}

function PreviewForm({ post }: { post: SnapshotPost }) {
  const [domain = ''] = currentBlogVisit().blog.domains;
  const page = { value: domain && !domain.startsWith('*') ? `https://${domain}/preview` : '', type: 'url' };
  const placeholder = 'https://site.example/preview';
  return (
    <details class="narrow" open={isResponseTo('posts.preview') || undefined}>
      <summary>Preview on your site</summary>
      <Form to="posts.preview" fields={{ post: post.id }} submit="Create preview link">
        <Field name="url" label="Page of your site that shows previews" {...page} placeholder={placeholder} required />
      </Form>
    </details>
  );
}

function PostActions({ post }: { post: SnapshotPost }) {
  const { status, scheduledAt } = post;
  const fields = { post: post.id };
  const { timeZone } = currentBlogVisit().blog;
  const value = scheduledAt ? localTime(Date.parse(scheduledAt), timeZone).slice(0, 16) : '';
  return (
    <>
      <div class="actions">
        {status !== 'PUBLISHED' && <FormButton to="posts.publish" fields={fields} kind="first" name="Publish now" />}
        {status !== 'DRAFT' && (
          <FormButton
            to="posts.unpublish"
            fields={fields}
            name={status === 'SCHEDULED' ? 'Unschedule post' : 'Unpublish post'}
          />
        )}
        <DeleteButton kind="post" item={post} />
      </div>
      {status !== 'PUBLISHED' && (
        <details class="narrow" open={isResponseTo('posts.publish') || undefined}>
          <summary>Publish later</summary>
          <Form to="posts.publish" fields={fields} submit="Schedule post">
            <Field
              name="at"
              label={`Date and time (${timeZone ?? 'UTC'})`}
              type="datetime-local"
              value={value}
              required
            />
          </Form>
        </details>
      )}
    </>
  );
}
