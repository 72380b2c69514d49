import type { BlogRecord, PersonRecord } from '@broadsheet/store';
import { commandForms } from '../access/command-forms.ts';
import { send } from '../access/send.tsx';
import { showOnce } from '../access/sent.ts';
import { currentVisit, mayManageAll, type Routes } from '../access/visit.ts';
import { Field, Form, FormButton } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { List, matching } from '../layout/search.tsx';
import { actionColumn, type Columns, dayColumn, State } from '../layout/table.tsx';

/** The people of the panel; only people who manage all blogs see this page. */
export const peopleRoutes: Routes = (app, options) => {
  app.use('/panel/people/*', async (c, next) => (mayManageAll(c.get('visit')) ? next() : c.notFound()));
  app.get('/panel/people', async (c) => {
    const { store } = options;
    return send(c, <PeoplePage people={await store.listPeople(c.get('visit').now)} blogs={await store.listBlogs()} />);
  });
  commandForms(app, options, 'people', {
    'panel.invite': {
      args: ({ typed, visit }) => ({ ...typed, url: visit.origin }),
      shows: ({ name, link }: { name: string; link: string }) =>
        showOnce(
          'the link',
          link,
          <>
            Send this sign-in link to <bdi>{name}</bdi> privately. It works once, within an hour, and is not shown
            again.
          </>,
        ),
    },
    'panel.revoke': { shows: { done: 'revoked' } },
  });
};

const LABELS = { name: 'Name', role: 'Role', blog: 'Blog' };

function PeoplePage({ people, blogs }: { people: readonly PersonRecord[]; blogs: readonly BlogRecord[] }) {
  const found = matching(people, ({ name, role, blogId }) => `${name} ${role} ${blogId}`);
  return (
    <Page title="People" here="people" labels={LABELS}>
      <List caption="People" sort="name" columns={columnsOf(people)} rows={found} />
      <Section id="invite" title="Invite someone" class="narrow">
        <p>Creates a sign-in link that works once, within an hour. There are no passwords.</p>
        <InvitationForm blogs={blogs} />
      </Section>
    </Page>
  );
}

/** By default, an invitation gives the least access: to view one blog. */
function InvitationForm({ blogs }: { blogs: readonly BlogRecord[] }) {
  const again =
    'If this person already has access, their role changes to the one you choose below when they use the link.';
  const roles = [
    ['view', 'view: see everything except secrets'],
    ['manage', 'manage: change everything'],
  ] as const;
  const all = ['', 'all blogs, and the people who may use the panel'] as const;
  const choices = [...blogs.map(({ id, name }) => [id, name] as const), all];
  return (
    <Form to="/panel/people/panel.invite" submit="Create sign-in link" submitKind="first">
      <Field name="name" label={LABELS.name} hint={again} required maxlength={100} />
      <Field name="role" label={LABELS.role} value="view" options={roles} />
      <Field name="blog" label={LABELS.blog} value={blogs[0]?.id} options={choices} />
    </Form>
  );
}

const columnsOf = (people: readonly PersonRecord[]): Columns<PersonRecord> => [
  { name: 'Name', wraps: true, by: ({ name }) => name },
  { name: 'Role', by: ({ role }) => role },
  { name: 'Blog', spare: true, by: ({ blogId }) => blogId ?? 'all blogs' },
  {
    name: 'Status',
    spare: true,
    by: ({ sessions }) => -sessions,
    cell: ({ invited, sessions }) =>
      sessions > 0 ? (
        <State is="running">signed in</State>
      ) : (
        <State is="paused">{invited ? 'link unused' : 'signed out'}</State>
      ),
  },
  dayColumn('Invited', ({ invitedAt }) => invitedAt, ''),
  actionColumn((person) => (
    <div class="actions">
      <FormButton
        to="/panel/people/panel.invite"
        fields={{ name: person.name, role: person.role, blog: person.blogId ?? '' }}
        kind="small"
        name="New link"
        about={person.name}
      />
      <RevokeButton person={person} isLast={isLastManager(people, person)} />
    </div>
  )),
];

const managesAll = ({ role, blogId, sessions }: PersonRecord) => role === 'manage' && blogId === null && sessions > 0;

/** Whether no other signed-in person manages all blogs and people. */
const isLastManager = (people: readonly PersonRecord[], person: PersonRecord): boolean =>
  managesAll(person) && people.filter(managesAll).length === 1;

function RevokeButton({ person: { name, sessions }, isLast }: { person: PersonRecord; isLast: boolean }) {
  const isOwn = name === currentVisit().person.name;
  const button = { kind: 'small danger', name: 'Revoke', about: name } as const;
  return (
    <FormButton
      to="/panel/people/panel.revoke"
      fields={{ name, ...(isLast && { yes: 'yes' }) }}
      {...button}
      confirm="Revoke this access?"
    >
      <p class="warn">
        <bdi>{name}</bdi> is signed out of {sessions === 1 ? '1 browser' : `${sessions} browsers`} within a second, and
        their sign-in link stops working. To restore their access, invite them again.
        {isOwn && ' This is your own access: you are signed out, too.'}
        {isLast &&
          ' Nobody else manages all blogs: afterwards, only somebody with a shell on the server can invite people.'}
      </p>
    </FormButton>
  );
}
