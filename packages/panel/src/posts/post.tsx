import type { SnapshotPost } from '@broadsheet/contract';
import { localTime } from '@broadsheet/core';
import { blogPath, currentBlogVisit, currentVisit, mayManage } from '../access/visit.ts';
import { Field, Form, FormButton, isResponseTo } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { DeleteButton } from '../pages/bin.tsx';

export function PostPage({ post }: { post: SnapshotPost }) {
  const { numbers } = currentVisit();
  const when =
    post.status === 'SCHEDULED'
      ? post.scheduledAt && `for ${numbers.moment(post.scheduledAt)}`
      : post.publishedAt && `on ${numbers.moment(post.publishedAt)}`;
  const state = (
    <span class={`state ${post.status}`}>
      {post.status.toLowerCase()} {post.status !== 'DRAFT' && when}
    </span>
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

/** Creates a link that shows the post on its site. */
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
  // A script shows the time of the reader beside a time in UTC.
  const time = { value, type: 'datetime-local', required: true, 'data-utc': timeZone === undefined || undefined };
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
            <Field name="at" label={`Date and time (${timeZone ?? 'UTC'})`} {...time} />
          </Form>
        </details>
      )}
    </>
  );
}
