import type { BlogRecord } from '@broadsheet/store';
import { commandForms } from '../access/command-forms.ts';
import { send } from '../access/send.tsx';
import { showOnce } from '../access/sent.ts';
import { currentVisit, mayManageAll, panelPath, type Routes } from '../access/visit.ts';
import { Field, Form } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { List, matching } from '../layout/search.tsx';
import { type Columns, numberColumn, RowLink } from '../layout/table.tsx';

export const blogsRoutes: Routes = (app, options) => {
  app.get('/panel/blogs', async (c) => {
    return send(c, <BlogsPage blogs={await options.store.listBlogs(c.get('visit').person.blogId ?? undefined)} />);
  });
  commandForms(app, options, 'blogs', {
    'blogs.create': {
      shows: ({ id, name, apiKey }: { id: string; name: string; apiKey: string }) => ({
        to: panelPath(id),
        ...showOnce(
          'the key',
          apiKey,
          <>
            <bdi>{name}</bdi> was created. This is its API key. It will not be shown again; you can create others under
            Settings → Keys.
          </>,
        ),
      }),
    },
  });
};

function BlogsPage({ blogs }: { blogs: readonly BlogRecord[] }) {
  const { person } = currentVisit();
  const columns: Columns<BlogRecord> = [
    {
      name: 'Blog',
      by: ({ name }) => name,
      cell: ({ id, name }) => <RowLink to={panelPath(id)} name={name} note={id} />,
    },
    numberColumn('Posts', ({ posts }) => posts),
    numberColumn('Ads', ({ ads }) => ads),
    { name: 'Domains', spare: true, by: ({ domains }) => domains.join(', ') || 'any' },
  ];
  const found = matching(blogs, ({ id, name, domains }) => `${id} ${name} ${domains}`);
  const none = person.blogId === null ? 'No blogs yet.' : 'You no longer have access to any blog.';
  const id = 'A short name that is used in URLs, such as news. It cannot be changed later.';
  return (
    <Page title="Blogs" here="blogs" labels={{ name: 'Name', id: 'ID' }}>
      <List caption="Blogs" none={blogs.length === 0 && none} sort="blog" columns={columns} rows={found} />
      {mayManageAll() && (
        <Section id="new" title="New blog" class="narrow">
          <Form to="/panel/blogs/blogs.create" submit="Create blog">
            <Field name="name" label="Name" required />
            <Field name="id" label="ID" hint={id} required spellcheck={false} />
          </Form>
        </Section>
      )}
    </Page>
  );
}
