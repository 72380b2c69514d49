import type { SnapshotPost } from '@broadsheet/contract';
import { type BlogVisit, mayManage, panelPath } from '../access/visit.ts';
import { Button, Field, Form, FormButton, ProblemList, type Problems } from '../layout/form.tsx';
import { Page, Secret, Section } from '../layout/page.tsx';
import { DeleteButton } from '../pages/bin.tsx';

interface PostPageProps {
  visit: BlogVisit;
  post: SnapshotPost;
  problems?: Problems;
  typed?: string;
  preview?: Preview;
}

/** The URL of the form for previews, and the link that was created with it. */
export interface Preview {
  readonly url: string;
  readonly link?: string;
}

export function PostPage(props: PostPageProps) {
  const { visit, post } = props;
  const { numbers } = visit;
  const when =
    post.status === 'SCHEDULED'
      ? post.scheduledAt && `for ${numbers.moment(post.scheduledAt)}`
      : post.publishedAt && `on ${numbers.moment(post.publishedAt)}`;
  return (
    <Page
      visit={visit}
      title={post.title || post.slug}
      here="posts"
      lead={
        <span class={`state ${post.status}`}>
          {post.status.toLowerCase()} {post.status !== 'DRAFT' && when}
        </span>
      }
    >
      {post.subtitle && <p class="lead">{post.subtitle}</p>}
      {mayManage(visit) && <PostActions {...props} />}
      {mayManage(visit) && <PreviewForm {...props} />}
      <Section id="reads" title="Text">
        <p class="hint">
          Shown without the design of your site. Slug: <code>{post.slug}</code>
        </p>
        <iframe
          class="text"
          src={panelPath(visit.blog.id, 'posts', post.id, 'text')}
          sandbox=""
          title="The text of the post"
        />
      </Section>
    </Page>
  );
}

/** Creates a link that shows the post on its site. */
function PreviewForm({ visit, post, problems = [], preview }: PostPageProps) {
  const [domain = ''] = visit.blog.domains;
  return (
    <details class="narrow" open={preview !== undefined || undefined}>
      <summary>Preview on your site</summary>
      {preview?.link && (
        <Secret name="the link" value={preview.link}>
          <a href={preview.link} target="_blank" rel="noreferrer">
            Open the preview
          </a>
          . Anyone who has this link can read the post for 24 hours.
        </Secret>
      )}
      <Form visit={visit} to={panelPath(visit.blog.id, 'posts', post.id, 'preview')}>
        <Field
          name="url"
          label="Page of your site that shows previews"
          problems={problems}
          type="url"
          value={preview?.url ?? (domain && !domain.startsWith('*') ? `https://${domain}/preview` : '')}
          placeholder="https://site.example/preview"
          required
        />
        <Button name="Create preview link" />
      </Form>
    </details>
  );
}

function PostActions({ visit, post, problems = [], typed = '' }: PostPageProps) {
  const { status, scheduledAt } = post;
  const path = (action: string) => panelPath(visit.blog.id, 'posts', post.id, action);
  return (
    <>
      <ProblemList problems={problems} labels={{ at: 'Date and time', url: 'Page' }} />
      <div class="actions">
        {status !== 'PUBLISHED' && <FormButton visit={visit} to={path('publish')} kind="first" name="Publish now" />}
        {status !== 'DRAFT' && (
          <FormButton
            visit={visit}
            to={path('unpublish')}
            name={status === 'SCHEDULED' ? 'Unschedule post' : 'Unpublish post'}
          />
        )}
        <DeleteButton visit={visit} kind="post" item={post} />
      </div>
      {status !== 'PUBLISHED' && (
        <details class="narrow" open={problems.some(({ at }) => at === 'at') || undefined}>
          <summary>Publish later</summary>
          <Form visit={visit} to={path('schedule')}>
            <Field
              name="at"
              label="Date and time (UTC)"
              problems={problems}
              type="datetime-local"
              value={typed || (scheduledAt?.slice(0, 16) ?? '')}
              required
            />
            <Button name="Schedule post" />
          </Form>
        </details>
      )}
    </>
  );
}
