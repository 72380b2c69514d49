import type { SnapshotBlog } from '@broadsheet/contract';
import { OperationError } from '@broadsheet/management';
import { commandForms } from '../access/command-forms.ts';
import { managersOnly } from '../access/guard.tsx';
import { downloadHeaders, HEADERS } from '../access/headers.ts';
import { send } from '../access/send.tsx';
import { textOf } from '../access/sent.ts';
import { blogPath, currentBlogVisit, currentNumbers, mayManage, type Routes } from '../access/visit.ts';
import { Button, Field, Form } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';

export const settingsRoutes: Routes = (app, options) => {
  app.get('/panel/:blog/settings', (c) => send(c, <SettingsPage />));

  app.get('/panel/:blog/snapshot.json', managersOnly, async (c) => {
    const blog = await options.store.exportBlog(c.get('blogVisit').blog.id);
    if (!blog) return c.notFound();
    const download = downloadHeaders(`${blog.id}.json`, 'application/json');
    return new Response(snapshotText(blog), { headers: { ...HEADERS, ...download } });
  });

  commandForms(app, options, 'settings', {
    'blogs.rename': { shows: { done: 'saved' } },
    'blogs.time-zone': { shows: { done: 'saved' } },
    'blogs.publisher': { shows: { done: 'saved' } },
    'blogs.delete': {
      args({ form, blog }) {
        if (textOf(form, 'id').trim() === blog) return { yes: true };
        throw new OperationError([{ at: 'id', message: `Type "${blog}" to confirm.` }]);
      },
      shows: { to: '/panel/blogs' },
    },
  });
};

/**
 * Streams a snapshot, some posts at a time, because the snapshot of a large blog exceeds the maximum length of a
 * string.
 */
function snapshotText({ posts, ...head }: SnapshotBlog): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    start: (controller) =>
      controller.enqueue(encoder.encode(`{"blogs":[${JSON.stringify(head, undefined, 1).slice(0, -2)},\n "posts": [`)),
    pull(controller) {
      const some = posts.slice(next, next + POSTS_AT_ONCE);
      const lines = some.map((post, index) => `${next + index === 0 ? '' : ','}\n  ${JSON.stringify(post)}`);
      next += some.length;
      controller.enqueue(encoder.encode(some.length > 0 ? lines.join('') : ']}]}\n'));
      if (some.length === 0) controller.close();
    },
  });
}
const POSTS_AT_ONCE = 100;

const LABELS = {
  name: 'Name of the blog',
  timeZone: 'Time zone',
  logoUrl: 'Logo URL',
  contact: 'Contact',
  id: 'Confirmation',
};

function SettingsPage() {
  const { blog } = currentBlogVisit();
  const id = `Its ID is ${blog.id} and cannot be changed.`;
  const days =
    'Figures, daily caps and the dates of ads use it. A change applies from now on: the figures of past days and the times that were set stay the same.';
  const contact = 'An e-mail address or a telephone number.';
  const zone = { value: blog.timeZone ?? 'UTC', list: 'zones', spellcheck: false, required: true };
  return (
    <Page title="Settings" here="settings" labels={LABELS}>
      <div class="narrow">
        <Form to="blogs.rename" submit="Rename blog">
          <Field name="name" label={LABELS.name} hint={id} value={blog.name} required />
        </Form>
        <Form to="blogs.time-zone" submit="Save time zone">
          <Field name="timeZone" label={LABELS.timeZone} hint={days} {...zone} />
          <datalist id="zones">
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option value={zone} />
            ))}
          </datalist>
        </Form>
        <Section id="publisher" title="Reports for sponsors">
          <p>A report names the blog and its first domain, with this logo and this contact.</p>
          <Form to="blogs.publisher" submit="Save">
            <Field name="logoUrl" label={LABELS.logoUrl} value={blog.publisher?.logoUrl ?? ''} spellcheck={false} />
            <Field name="contact" label={LABELS.contact} hint={contact} value={blog.publisher?.contact ?? ''} />
          </Form>
        </Section>
        {mayManage() && (
          <Section id="copy" title="Snapshot">
            <p>
              A file with everything in <bdi>{blog.name}</bdi> except its keys and figures.{' '}
              <a href={blogPath('import')}>Import</a> accepts it.
            </p>
            <Button to={blogPath('snapshot.json')} name="Download snapshot" download />
          </Section>
        )}
        {mayManage() && <Deletion />}
      </div>
    </Page>
  );
}

function Deletion() {
  const [numbers, { blog }] = [currentNumbers(), currentBlogVisit()];
  const submit = (
    <>
      Delete <bdi>{blog.name}</bdi>
    </>
  );
  return (
    <Section id="end" title="Delete the blog">
      <p class="warn">
        Permanently deletes <bdi>{blog.name}</bdi>: {numbers.count(blog.posts)} {blog.posts === 1 ? 'post' : 'posts'},{' '}
        {numbers.count(blog.ads)} {blog.ads === 1 ? 'ad' : 'ads'}, all keys and all figures. This cannot be undone. To
        keep the posts and ads, download a snapshot first.
      </p>
      <Form to="blogs.delete" submit={submit} submitKind="danger">
        <Field name="id" label={`Type "${blog.id}" to confirm`} spellcheck={false} />
      </Form>
    </Section>
  );
}
