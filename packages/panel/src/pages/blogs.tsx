import { createBlog } from '@broadsheet/management';
import type { BlogRecord } from '@broadsheet/store';
import type { Hono } from 'hono';
import { type PanelEnv, textOf } from '../access/guard.tsx';
import { goTo, send } from '../access/send.ts';
import { logChange, mayManageAll, panelPath, type Visit } from '../access/visit.ts';
import { Button, Field, Form, ProblemList, type Problems } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { List, matching } from '../layout/search.tsx';
import { type Columns, numberColumn, RowLink } from '../layout/table.tsx';
import type { PanelOptions } from '../panel-options.ts';

export function blogsRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/blogs', (c) => send(<BlogsPage visit={c.get('visit')} />));
  app.post('/panel/blogs', async (c) => {
    const visit = c.get('visit');
    if (!mayManageAll(visit)) return c.notFound();
    const typed = { id: textOf(c.get('form'), 'id').trim(), name: textOf(c.get('form'), 'name') };
    c.set('again', (problems) => <BlogsPage visit={visit} typed={typed} problems={problems} />);
    const { id, name } = await createBlog(store, { id: typed.id, name: typed.name.trim() || typed.id }, visit.now);
    const blog: BlogRecord = { id, name, domains: [], posts: 0, ads: 0 };
    await logChange(store, { ...visit, blog }, `created the blog ${id}`);
    return goTo(panelPath(id));
  });
}

interface BlogsPageProps {
  visit: Visit;
  typed?: { id: string; name: string };
  problems?: Problems;
}

function BlogsPage({ visit, typed = { id: '', name: '' }, problems = [] }: BlogsPageProps) {
  const { url, blogs, numbers } = visit;
  const columns: Columns<BlogRecord> = [
    {
      key: 'name',
      name: 'Blog',
      by: ({ name }) => name,
      cell: ({ id, name }) => <RowLink to={panelPath(id)} name={name} note={id} />,
    },
    numberColumn({ key: 'posts', name: 'Posts' }, ({ posts }) => posts, numbers.count),
    numberColumn({ key: 'ads', name: 'Ads' }, ({ ads }) => ads, numbers.count),
    { key: 'domains', name: 'Domains', spare: true, by: ({ domains }) => domains.join(', ') || 'any' },
  ];
  const found = matching(url, blogs, ({ id, name, domains }) => `${id} ${name} ${domains}`);
  return (
    <Page visit={visit} title="Blogs" here="blogs">
      {blogs.length === 0 ? (
        <p class="empty">{visit.person.blogId === null ? 'No blogs yet.' : 'You no longer have access to any blog.'}</p>
      ) : (
        <List caption="Blogs" url={url} sort="name" columns={columns} rows={found} />
      )}
      {mayManageAll(visit) && (
        <Section id="new" title="New blog" class="narrow">
          <Form visit={visit} to="/panel/blogs">
            <ProblemList problems={problems} labels={{ name: 'Name', id: 'ID' }} />
            <Field name="name" label="Name" problems={problems} value={typed.name} required />
            <Field
              name="id"
              label="ID"
              hint="A short name that is used in URLs, such as news. It cannot be changed later."
              problems={problems}
              value={typed.id}
              required
              spellcheck={false}
            />
            <Button name="Create blog" />
          </Form>
        </Section>
      )}
    </Page>
  );
}
