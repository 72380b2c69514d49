import { OperationError, type Person, type PersonRecord, ROLES } from '@broadsheet/management';
import type { Hono } from 'hono';
import { type PanelEnv, textOf } from '../access/guard.tsx';
import { goTo, send } from '../access/send.ts';
import { logChange, mayManageAll, newPanelToken, panelPath, type Visit } from '../access/visit.ts';
import { Button, ConfirmButton, Field, Form, LinkButton, ProblemList, type Problems } from '../layout/form.tsx';
import { Page, Secret, Section } from '../layout/page.tsx';
import { List, matching } from '../layout/search.tsx';
import { actionColumn, type Columns } from '../layout/table.tsx';
import type { PanelOptions } from '../panel-options.ts';

const ALL = '';

interface Invitation {
  readonly name: string;
  readonly role: string;
  readonly blog: string;
}

/** The people of the panel; only people who manage all blogs see this page. */
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
    c.set('again', async (problems) => (
      <PeoplePage visit={visit} people={await store.listPeople(visit.now)} typed={typed} problems={problems} />
    ));
    const person = readInvitation(visit, typed);
    const token = newPanelToken();
    await store.invitePerson(person, token, visit.now);
    await logChange(store, visit, `invited ${person.name} (${person.role}, ${person.blogId ?? 'all blogs'})`);
    return send(<InvitedPage visit={visit} person={person} link={`${visit.origin}/panel/sign-in?token=${token}`} />);
  });

  app.post('/panel/people/:name/revoke', async (c) => {
    const visit = c.get('visit');
    const name = c.req.param('name');
    if (!(await store.revokePerson(name))) return c.notFound();
    await logChange(store, visit, `revoked ${name}`);
    return goTo('/panel/people?done=revoked');
  });
}

/** @throws OperationError */
function readInvitation(visit: Visit, { name, role, blog }: Invitation): Person {
  const given = ROLES.find((known) => known === role);
  const problems = [
    ...(name === '' || name.length > 100 ? [{ at: 'name', message: 'Enter a name of 1 to 100 characters.' }] : []),
    ...(given ? [] : [{ at: 'role', message: 'Choose a role.' }]),
    ...(blog === ALL || visit.blogs.some(({ id }) => id === blog)
      ? []
      : [{ at: 'blog', message: 'This blog does not exist.' }]),
  ];
  if (!given || problems.length > 0) throw new OperationError(problems);
  return { name, role: given, blogId: blog === ALL ? null : blog };
}

interface PeoplePageProps {
  visit: Visit;
  people: readonly PersonRecord[];
  typed?: Invitation;
  problems?: Problems;
}

function PeoplePage({ visit, people, typed = leastAccess(visit), problems = [] }: PeoplePageProps) {
  const { url } = visit;
  const found = matching(url, people, ({ name, role, blogId }) => `${name} ${role} ${blogId}`);
  return (
    <Page visit={visit} title="People" here="people">
      <List caption="People" url={url} sort="name" columns={columnsOf(visit)} rows={found} />
      <Section id="invite" title="Invite someone" class="narrow">
        <p>Creates a sign-in link that works once, within an hour. There are no passwords.</p>
        <InvitationForm visit={visit} typed={typed} problems={problems} />
      </Section>
    </Page>
  );
}

/** The defaults of an invitation: to view one blog. */
const leastAccess = ({ blogs }: Visit): Invitation => ({ name: '', role: 'view', blog: blogs[0]?.id ?? ALL });

function InvitationForm({ visit, typed: { name, role, blog }, problems }: Required<Omit<PeoplePageProps, 'people'>>) {
  return (
    <Form visit={visit} to="/panel/people">
      <ProblemList problems={problems} labels={{ name: 'Name', role: 'Role', blog: 'Blog' }} />
      <Field
        name="name"
        label="Name"
        problems={problems}
        hint="If this person already has access, the new link replaces their role with the one you choose below."
        value={name}
        required
        maxlength={100}
      />
      <Field
        name="role"
        label="Role"
        problems={problems}
        value={role}
        options={[
          ['view', 'view: see everything except secrets'],
          ['manage', 'manage: change everything'],
        ]}
      />
      <Field
        name="blog"
        label="Blog"
        problems={problems}
        value={blog}
        options={[
          ...visit.blogs.map(({ id, name }) => [id, name] as const),
          [ALL, 'all blogs, and the people who may use the panel'],
        ]}
      />
      <Button kind="first" name="Create sign-in link" />
    </Form>
  );
}

function columnsOf(visit: Visit): Columns<PersonRecord> {
  const { numbers } = visit;
  return [
    { key: 'name', name: 'Name', words: true, by: ({ name }) => name },
    { key: 'role', name: 'Role', by: ({ role }) => role },
    { key: 'blog', name: 'Blog', spare: true, by: ({ blogId }) => blogId ?? 'all blogs' },
    {
      key: 'state',
      name: 'Status',
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
      name: 'Invited',
      spare: true,
      by: ({ invitedAt }) => invitedAt,
      cell: ({ invitedAt }) => numbers.fullDay(invitedAt),
    },
    actionColumn(visit, (person) => <RevokeButton visit={visit} person={person} />),
  ];
}

function RevokeButton({ visit, person: { name, sessions } }: { visit: Visit; person: PersonRecord }) {
  const to = panelPath('people', name, 'revoke');
  return (
    <ConfirmButton
      visit={visit}
      to={to}
      kind="small danger"
      name="Revoke access"
      about={name}
      title={`Revoke the access of ${name}?`}
    >
      <p class="warn">
        {name} is signed out of {sessions === 1 ? '1 browser' : `${sessions} browsers`} within a second, and their
        sign-in link stops working. To restore their access, invite them again.
        {name === visit.person.name && ' This is your own access: you are signed out, too.'}
      </p>
    </ConfirmButton>
  );
}

function InvitedPage({ visit, person, link }: { visit: Visit; person: Person; link: string }) {
  return (
    <Page visit={visit} title={`Sign-in link for ${person.name}`} here="people">
      <div class="narrow">
        <Secret name="the link" value={link}>
          Send this link to {person.name} privately. It works once, within an hour, and is not shown again.
        </Secret>
        <LinkButton to="/panel/people" name="Back to people" />
      </div>
    </Page>
  );
}
