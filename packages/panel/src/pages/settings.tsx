import type { SnapshotBlog } from '@broadsheet/contract';
import { changeTimeZone, deleteBlog, OperationError, renameBlog } from '@broadsheet/management';
import type { Hono } from 'hono';
import { managersOnly, type PanelEnv, textOf } from '../access/guard.tsx';
import { goTo, HEADERS, send } from '../access/send.ts';
import { type BlogVisit, logChange, mayManage, panelPath } from '../access/visit.ts';
import { Button, Field, Form, LinkButton, ProblemList, type Problems } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import type { PanelOptions } from '../panel-options.ts';

export function settingsRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/:blog/settings', (c) => send(<SettingsPage visit={c.get('blogVisit')} />));

  app.post('/panel/:blog/settings', async (c) => {
    const visit = c.get('blogVisit');
    const name = textOf(c.get('form'), 'name');
    c.set('again', (problems) => <SettingsPage visit={visit} typed={name} problems={problems} />);
    const { before, after } = await renameBlog(store, visit.blog.id, name);
    await logChange(store, visit, `renamed the blog from “${before}” to “${after}”`);
    return goTo(`${panelPath(visit.blog.id, 'settings')}?done=saved`);
  });

  app.post('/panel/:blog/settings/time-zone', async (c) => {
    const visit = c.get('blogVisit');
    const typed = textOf(c.get('form'), 'timeZone').trim();
    c.set('again', (problems) => <SettingsPage visit={visit} timeZone={typed} problems={problems} />);
    const { before, after } = await changeTimeZone(store, visit.blog.id, typed);
    await logChange(store, visit, `changed the time zone from ${before} to ${after}`);
    return goTo(`${panelPath(visit.blog.id, 'settings')}?done=saved`);
  });

  app.get('/panel/:blog/snapshot.json', managersOnly, async (c) => {
    const visit = c.get('blogVisit');
    const blog = await store.exportBlog(visit.blog.id);
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
    c.set('again', (problems) => <SettingsPage visit={visit} problems={problems} />);
    if (textOf(c.get('form'), 'id').trim() !== id)
      throw new OperationError([{ at: 'id', message: `Type "${id}" to confirm.` }]);
    await deleteBlog(store, id);
    await logChange(store, visit, `deleted the blog “${name}” (${id})`);
    return goTo('/panel/blogs');
  });
}

/** Streams a snapshot, some posts at a time, because that of a large blog exceeds the maximum length of a string. */
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

const LABELS = { name: 'Name of the blog', timeZone: 'Time zone', id: 'Confirmation' };

interface SettingsPageProps {
  visit: BlogVisit;
  typed?: string;
  timeZone?: string;
  problems?: Problems;
}

function SettingsPage({ visit, typed = visit.blog.name, timeZone, problems = [] }: SettingsPageProps) {
  const { blog } = visit;
  const manages = mayManage(visit);
  return (
    <Page visit={visit} title="Settings" here="settings">
      <div class="narrow">
        <ProblemList problems={problems} labels={LABELS} />
        <Form visit={visit} to={panelPath(blog.id, 'settings')}>
          <fieldset disabled={!manages}>
            <Field
              name="name"
              label="Name of the blog"
              hint={`Its ID is ${blog.id} and cannot be changed.`}
              problems={problems}
              value={typed}
              required
            />
            {manages && <Button name="Rename blog" />}
          </fieldset>
        </Form>
        <TimeZoneForm visit={visit} problems={problems} {...(timeZone !== undefined && { timeZone })} />
        {manages && (
          <Section id="copy" title="Snapshot">
            <p>
              A file with everything in {blog.name} except its keys and figures.{' '}
              <a href={panelPath(blog.id, 'import')}>Import</a> accepts it.
            </p>
            <LinkButton to={panelPath(blog.id, 'snapshot.json')} name="Download snapshot" download />
          </Section>
        )}
        {manages && <Deletion visit={visit} problems={problems} />}
      </div>
    </Page>
  );
}

function TimeZoneForm({ visit, timeZone, problems = [] }: SettingsPageProps) {
  const { blog } = visit;
  const manages = mayManage(visit);
  return (
    <Form visit={visit} to={panelPath(blog.id, 'settings', 'time-zone')}>
      <fieldset disabled={!manages}>
        <Field
          name="timeZone"
          label="Time zone"
          hint="Figures and daily caps count its days. A change applies from now on; the figures of past days do not change."
          problems={problems}
          value={timeZone ?? blog.timeZone ?? 'UTC'}
          list="zones"
          spellcheck={false}
          required
        />
        <datalist id="zones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option value={zone} />
          ))}
        </datalist>
        {manages && <Button name="Save time zone" />}
      </fieldset>
    </Form>
  );
}

function Deletion({ visit, problems }: { visit: BlogVisit; problems: Problems }) {
  const { blog, numbers } = visit;
  return (
    <Section id="end" title="Delete the blog">
      <p class="warn">
        Permanently deletes {blog.name}: {numbers.count(blog.posts)} {blog.posts === 1 ? 'post' : 'posts'},{' '}
        {numbers.count(blog.ads)} {blog.ads === 1 ? 'ad' : 'ads'}, all keys and all figures. This cannot be undone. To
        keep the posts and ads, download a snapshot first.
      </p>
      <Form visit={visit} to={panelPath(blog.id, 'delete')}>
        <Field name="id" label={`Type "${blog.id}" to confirm`} problems={problems} spellcheck={false} />
        <Button kind="danger" name={`Delete ${blog.name}`} />
      </Form>
    </Section>
  );
}
