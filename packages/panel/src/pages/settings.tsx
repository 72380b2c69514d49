/** @jsxImportSource hono/jsx */
import type { SnapshotBlog } from '@broadsheet/contract';
import { deleteBlog, renameBlog } from '@broadsheet/management';
import type { Hono } from 'hono';
import { logChange, textOf } from '../door/change.ts';
import type { PanelEnv } from '../door/guard.tsx';
import { goTo, HEADERS, send } from '../door/send.ts';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { numbersOf } from '../figures/numbers.ts';
import { Field, Form, OtherProblems, type Problems, problemsOf } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import type { PanelOptions } from '../panel-options.ts';

/** The name of a blog, all of it as a file, and its end. */
export function settingsRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/:blog/settings', (c) => send(<SettingsPage visit={c.get('blogVisit')} />));

  app.post('/panel/:blog/settings', async (c) => {
    const visit = c.get('blogVisit');
    const name = textOf(c.get('form'), 'name');
    try {
      const { before, after } = await renameBlog(store, visit.blog.id, name);
      await logChange(store, visit, `renamed the blog from “${before}” to “${after}”`);
      return goTo(`${panelPath(visit.blog.id, 'settings')}?done=saved`);
    } catch (error) {
      return send(<SettingsPage visit={visit} typed={name} problems={problemsOf(error)} />, { status: 400 });
    }
  });

  app.get('/panel/:blog/snapshot.json', async (c) => {
    const visit = c.get('blogVisit');
    const blog = mayManage(visit) ? await store.exportBlog(visit.blog.id) : undefined;
    if (!blog) return c.notFound();
    const file = `${blog.id.replace(/[^\w.-]/g, '_')}.json`;
    return new Response(snapshotText(blog), {
      headers: {
        ...HEADERS,
        'content-type': 'application/json',
        'content-disposition': `attachment; filename="${file}"`,
      },
    });
  });

  app.post('/panel/:blog/delete', async (c) => {
    const visit = c.get('blogVisit');
    const { id, name } = visit.blog;
    if (textOf(c.get('form'), 'id').trim() !== id) {
      const problems = [{ at: 'id', message: `Write ${id} to say that you mean it.` }];
      return send(<SettingsPage visit={visit} problems={problems} />, { status: 400 });
    }
    await deleteBlog(store, id);
    await logChange(store, visit, `deleted the blog “${name}” (${id})`);
    return goTo('/panel/blogs');
  });
}

/** A snapshot, some posts at a time: that of a large blog is longer than a text may be. */
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

function SettingsPage({
  visit,
  typed = visit.blog.name,
  problems = [],
}: {
  visit: BlogVisit;
  typed?: string;
  problems?: Problems;
}) {
  const { blog } = visit;
  const numbers = numbersOf(visit.locale);
  const manages = mayManage(visit);
  return (
    <Page visit={visit} title="Settings" here="settings">
      <div class="narrow">
        <Form visit={visit} to={panelPath(blog.id, 'settings')}>
          <OtherProblems problems={problems} fields={['name', 'id']} />
          <fieldset disabled={!manages}>
            <Field name="name" label="Name of the blog" hint={`Its id is ${blog.id}, and stays.`} problems={problems}>
              {(input) => <input {...input} value={typed} required autocomplete="off" />}
            </Field>
            {manages && (
              <button class="button" type="submit">
                Rename
              </button>
            )}
          </fieldset>
        </Form>
        {manages && (
          <>
            <section aria-labelledby="copy">
              <h2 id="copy">A copy</h2>
              <p>
                Everything of {blog.name} but its keys and figures, as a file that{' '}
                <a href={panelPath(blog.id, 'import')}>Import</a> takes back.
              </p>
              <a class="button" href={panelPath(blog.id, 'snapshot.json')} download>
                Download a snapshot
              </a>
            </section>
            <section aria-labelledby="end">
              <h2 id="end">Delete the blog</h2>
              <p class="warn">
                This destroys {blog.name} for good: {numbers.count(blog.posts)} {blog.posts === 1 ? 'post' : 'posts'},{' '}
                {numbers.count(blog.ads)} {blog.ads === 1 ? 'ad' : 'ads'}, every key and every figure. It cannot be
                undone; a snapshot, downloaded first, brings back posts and ads.
              </p>
              <Form visit={visit} to={panelPath(blog.id, 'delete')}>
                <Field name="id" label={`Write ${blog.id} to say that you mean it`} problems={problems}>
                  {(input) => <input {...input} autocomplete="off" spellcheck={false} />}
                </Field>
                <button class="button danger" type="submit">
                  Delete {blog.name}
                </button>
              </Form>
            </section>
          </>
        )}
      </div>
    </Page>
  );
}
