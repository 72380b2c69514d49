/** @jsxImportSource hono/jsx */
import { type Person, type PersonRecord, ROLES } from '@broadsheet/management';
import type { Hono } from 'hono';
import { logChange, textOf } from '../door/change.ts';
import type { PanelEnv } from '../door/guard.tsx';
import { goTo, send } from '../door/send.ts';
import { mayManageAll, newPanelToken, panelPath, type Visit } from '../door/visit.ts';
import { numbersOf } from '../figures/numbers.ts';
import { Confirm } from '../layout/confirm.tsx';
import { Field, Form, OtherProblems, type Problems } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { SearchBar } from '../layout/search.tsx';
import { type Column, Table } from '../layout/table.tsx';
import type { PanelOptions } from '../panel-options.ts';

const ALL = '';

/** Who may use the panel; for those who manage every blog. */
export function peopleRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.use('/panel/people/*', async (c, next) => (mayManageAll(c.get('visit')) ? next() : c.notFound()));

  app.get('/panel/people', async (c) => {
    const visit = c.get('visit');
    return send(<PeoplePage visit={visit} people={await store.listPeople(visit.now)} />);
  });

  app.post('/panel/people', async (c) => {
    const visit = c.get('visit');
    const form = c.get('form');
    const typed = { name: textOf(form, 'name').trim(), role: textOf(form, 'role'), blog: textOf(form, 'blog') };
    const problems: { at: string; message: string }[] = [];
    const role = ROLES.find((known) => known === typed.role);
    if (typed.name === '' || typed.name.length > 100)
      problems.push({ at: 'name', message: 'Write what they are called, in 1 to 100 characters.' });
    if (!role) problems.push({ at: 'role', message: 'Choose what they may do.' });
    if (typed.blog !== ALL && !visit.blogs.some(({ id }) => id === typed.blog))
      problems.push({ at: 'blog', message: 'There is no such blog.' });
    if (!role || problems.length > 0) {
      const people = await store.listPeople(visit.now);
      return send(<PeoplePage visit={visit} people={people} typed={typed} problems={problems} />, { status: 400 });
    }
    const person: Person = { name: typed.name, role, blogId: typed.blog === ALL ? null : typed.blog };
    const token = newPanelToken();
    await store.invitePerson(person, token, visit.now);
    await logChange(store, visit, `invited ${person.name} (${role}, ${person.blogId ?? 'all blogs'})`);
    return send(<InvitedPage visit={visit} person={person} link={`${visit.origin}/panel/sign-in?token=${token}`} />);
  });

  app.get('/panel/people/:name/revoke', async (c) => {
    const visit = c.get('visit');
    const person = (await store.listPeople(visit.now)).find(({ name }) => name === c.req.param('name'));
    if (!person) return c.notFound();
    return send(
      <Confirm
        visit={visit}
        here="people"
        title={`Revoke ${person.name}?`}
        to={visit.url.pathname}
        action={`Revoke ${person.name}`}
        back="/panel/people"
      >
        <p class="warn">
          {person.name} is signed out of {person.sessions === 1 ? 'one browser' : `${person.sessions} browsers`} within
          a second, and any link of theirs is dead. Inviting them again lets them back in.
          {person.name === visit.person.name && ' This is you: you are signed out, too.'}
        </p>
      </Confirm>,
    );
  });
  app.post('/panel/people/:name/revoke', async (c) => {
    const visit = c.get('visit');
    const name = c.req.param('name');
    if (!(await store.revokePerson(name))) return c.notFound();
    await logChange(store, visit, `revoked ${name}`);
    return goTo('/panel/people?done=revoked');
  });
}

function PeoplePage({
  visit,
  people,
  typed = { name: '', role: 'manage', blog: ALL },
  problems = [],
}: {
  visit: Visit;
  people: readonly PersonRecord[];
  typed?: { name: string; role: string; blog: string };
  problems?: Problems;
}) {
  const { url } = visit;
  const columns = columnsOf(visit);
  const search = (url.searchParams.get('q') ?? '').toLowerCase();
  const found = people.filter(({ name, role, blogId }) => `${name} ${role} ${blogId}`.toLowerCase().includes(search));
  return (
    <Page visit={visit} title="People" here="people">
      <SearchBar url={url} label="Search people" />
      <Table caption="People" url={url} sort="name" columns={columns} rows={found} />
      <section class="narrow" aria-labelledby="invite">
        <h2 id="invite">Invite somebody</h2>
        <p>You get a link to hand to them. It signs them in once, within an hour. There are no passwords.</p>
        <Form visit={visit} to="/panel/people">
          <OtherProblems problems={problems} fields={['name', 'role', 'blog']} />
          <Field
            name="name"
            label="Name"
            problems={problems}
            hint="Of somebody who is here already: a new link, with what you choose below."
          >
            {(input) => <input {...input} value={typed.name} required maxlength={100} autocomplete="off" />}
          </Field>
          <Field name="role" label="May" problems={problems}>
            {(input) => (
              <select {...input}>
                <option value="manage" selected={typed.role === 'manage'}>
                  manage: change everything
                </option>
                <option value="view" selected={typed.role === 'view'}>
                  view: look, change nothing
                </option>
              </select>
            )}
          </Field>
          <Field name="blog" label="Of" problems={problems}>
            {(input) => (
              <select {...input}>
                <option value={ALL} selected={typed.blog === ALL}>
                  all blogs, and the people
                </option>
                {visit.blogs.map(({ id, name }) => (
                  <option value={id} selected={typed.blog === id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <button class="button first" type="submit">
            Make a sign-in link
          </button>
        </Form>
      </section>
    </Page>
  );
}

function columnsOf(visit: Visit): Column<PersonRecord>[] {
  const numbers = numbersOf(visit.locale);
  return [
    { key: 'name', name: 'Name', by: ({ name }) => name, cell: ({ name }) => name },
    { key: 'role', name: 'May', by: ({ role }) => role, cell: ({ role }) => role },
    {
      key: 'blog',
      name: 'Of',
      by: ({ blogId }) => blogId ?? '',
      spare: true,
      cell: ({ blogId }) => blogId ?? 'all blogs',
    },
    {
      key: 'state',
      name: 'State',
      by: ({ sessions }) => -sessions,
      cell: ({ invited, sessions }) =>
        sessions > 0 ? (
          <span class="state running">signed in</span>
        ) : (
          <span class="state paused">{invited ? 'link unused' : 'signed out'}</span>
        ),
    },
    {
      key: 'invited',
      name: 'Since',
      spare: true,
      by: ({ invitedAt }) => invitedAt,
      cell: ({ invitedAt }) => numbers.fullDay(invitedAt),
    },
    {
      key: 'change',
      name: 'Change',
      numeric: true,
      cell: ({ name }) => (
        <a class="button small danger" href={panelPath('people', name, 'revoke')}>
          Revoke<span class="unseen"> {name}</span>
        </a>
      ),
    },
  ];
}

function InvitedPage({ visit, person, link }: { visit: Visit; person: Person; link: string }) {
  return (
    <Page visit={visit} title={`A link for ${person.name}`} here="people">
      <div class="narrow" role="status">
        <p>Hand it to {person.name} by a way you trust. It works once, within an hour, and is shown this once.</p>
        <code class="secret" data-copy="the link">
          {link}
        </code>
        <div class="actions">
          <a class="button" href="/panel/people">
            Back to people
          </a>
        </div>
      </div>
    </Page>
  );
}
