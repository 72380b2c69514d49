/** @jsxImportSource hono/jsx */
import { createBlog } from '@broadsheet/management';
import type { BlogRecord } from '@broadsheet/store';
import type { Hono } from 'hono';
import { logChange, textOf } from '../door/change.ts';
import type { PanelEnv } from '../door/guard.tsx';
import { goTo, send } from '../door/send.ts';
import { mayManageAll, panelPath, type Visit } from '../door/visit.ts';
import { numbersOf } from '../figures/numbers.ts';
import { Field, Form, OtherProblems, type Problems, problemsOf } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { SearchBar } from '../layout/search.tsx';
import { type Column, Table } from '../layout/table.tsx';
import type { PanelOptions } from '../panel-options.ts';

/** The blogs of a person, where there are several. */
export function blogsRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/blogs', (c) => send(<BlogsPage visit={c.get('visit')} />));
  app.post('/panel/blogs', async (c) => {
    const visit = c.get('visit');
    if (!mayManageAll(visit)) return c.notFound();
    const typed = { id: textOf(c.get('form'), 'id').trim(), name: textOf(c.get('form'), 'name') };
    try {
      const { id, name } = await createBlog(store, { id: typed.id, name: typed.name.trim() || typed.id }, visit.now);
      const blog: BlogRecord = { id, name, domains: [], posts: 0, ads: 0 };
      await logChange(store, { ...visit, blog }, `made the blog ${id}`);
      return goTo(panelPath(id));
    } catch (error) {
      return send(<BlogsPage visit={visit} typed={typed} problems={problemsOf(error)} />, { status: 400 });
    }
  });
}

function BlogsPage({
  visit,
  typed = { id: '', name: '' },
  problems = [],
}: {
  visit: Visit;
  typed?: { id: string; name: string };
  problems?: Problems;
}) {
  const { url, blogs } = visit;
  const numbers = numbersOf(visit.locale);
  const columns: Column<BlogRecord>[] = [
    {
      key: 'name',
      name: 'Blog',
      by: ({ name }) => name,
      cell: ({ id, name }) => (
        <a class="row" href={panelPath(id)}>
          {name} <small>{id}</small>
        </a>
      ),
    },
    { key: 'posts', name: 'Posts', numeric: true, by: ({ posts }) => posts, cell: ({ posts }) => numbers.count(posts) },
    { key: 'ads', name: 'Ads', numeric: true, by: ({ ads }) => ads, cell: ({ ads }) => numbers.count(ads) },
    {
      key: 'domains',
      name: 'Domains',
      spare: true,
      by: ({ domains }) => domains.join(),
      cell: ({ domains }) => domains.join(', ') || 'any',
    },
  ];
  const search = (url.searchParams.get('q') ?? '').toLowerCase();
  const found = blogs.filter(({ id, name, domains }) => `${id} ${name} ${domains}`.toLowerCase().includes(search));
  return (
    <Page visit={visit} title="Blogs" here="blogs">
      {blogs.length === 0 ? (
        <p class="empty">There is no blog{visit.person.blogId === null ? ' yet' : ' for you any more'}.</p>
      ) : (
        <>
          <SearchBar url={url} label="Search blogs" />
          <Table caption="Blogs" url={url} sort="name" columns={columns} rows={found} />
        </>
      )}
      {mayManageAll(visit) && (
        <section class="narrow" aria-labelledby="new">
          <h2 id="new">A new blog</h2>
          <Form visit={visit} to="/panel/blogs">
            <OtherProblems problems={problems} fields={['id', 'name']} />
            <Field name="name" label="Name" problems={problems}>
              {(input) => <input {...input} value={typed.name} required autocomplete="off" />}
            </Field>
            <Field
              name="id"
              label="Id"
              hint="A short word for addresses, such as news; it cannot be changed later."
              problems={problems}
            >
              {(input) => <input {...input} value={typed.id} required autocomplete="off" spellcheck={false} />}
            </Field>
            <button class="button" type="submit">
              Make it
            </button>
          </Form>
        </section>
      )}
    </Page>
  );
}
