/** @jsxImportSource hono/jsx */
import type { SnapshotPost } from '@broadsheet/contract';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { numbersOf } from '../figures/numbers.ts';
import { Field, Form, OtherProblems, type Problems } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';

/** One post: how it reads, and what can be done with it. */
export function PostPage({
  visit,
  post,
  problems = [],
  typed = '',
}: {
  visit: BlogVisit;
  post: SnapshotPost;
  problems?: Problems;
  typed?: string;
}) {
  const numbers = numbersOf(visit.locale);
  const path = (...rest: string[]) => panelPath(visit.blog.id, 'posts', post.id, ...rest);
  const when =
    post.status === 'SCHEDULED'
      ? post.scheduledAt && `on ${numbers.moment(post.scheduledAt)}`
      : post.publishedAt && `since ${numbers.moment(post.publishedAt)}`;
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
      {mayManage(visit) && (
        <>
          <OtherProblems problems={problems} fields={['at']} />
          <div class="actions">
            {post.status !== 'PUBLISHED' && (
              <Form visit={visit} to={path('publish')}>
                <button class="button first" type="submit">
                  Publish now
                </button>
              </Form>
            )}
            {post.status !== 'DRAFT' && (
              <Form visit={visit} to={path('unpublish')}>
                <button class="button" type="submit">
                  {post.status === 'SCHEDULED' ? 'Do not publish it' : 'Unpublish'}
                </button>
              </Form>
            )}
            <a class="button danger" href={path('delete')}>
              Delete
            </a>
          </div>
          {post.status !== 'PUBLISHED' && (
            <details class="narrow" open={problems.length > 0 ? true : undefined}>
              <summary>Publish it later</summary>
              <Form visit={visit} to={path('schedule')}>
                <Field name="at" label="Day and time (UTC)" problems={problems}>
                  {(input) => (
                    <input
                      {...input}
                      type="datetime-local"
                      value={typed || (post.scheduledAt?.slice(0, 16) ?? '')}
                      required
                    />
                  )}
                </Field>
                <button class="button" type="submit">
                  Schedule
                </button>
              </Form>
            </details>
          )}
        </>
      )}
      <section aria-labelledby="reads">
        <h2 id="reads">How it reads</h2>
        <p class="hint">
          Plainly set: your site gives it its own look. Address: <code>{post.slug}</code>
        </p>
        <iframe class="text" src={path('text')} sandbox="" title="The text of the post" />
      </section>
    </Page>
  );
}
