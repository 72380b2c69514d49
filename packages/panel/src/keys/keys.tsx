import { shownText } from '@broadsheet/management';
import type { KeyRecord } from '@broadsheet/store';
import { commandForms, type Submission } from '../access/command-forms.ts';
import { send } from '../access/send.tsx';
import { SEEN, textOf, textsOf } from '../access/sent.ts';
import { currentBlogVisit, currentNumbers, mayManage, type Routes } from '../access/visit.ts';
import { Button, Field, Form, FormButton } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { actionColumn, type Columns, dayColumn, State, Table } from '../layout/table.tsx';

/** Shows the new key on the page with the tags, which contain it. */
function showKey({ apiKey }: { apiKey: string }, { form, path }: Submission) {
  const query = new URLSearchParams({ pin: textOf(form, 'pin') });
  const slots = textsOf(form, 'slot');
  for (const format of slots.length > 0 ? slots : ['BANNER']) query.append('slot', format);
  const text = 'Your new key. It will not be shown again. The tags below already contain it.';
  return { to: `${path('embed')}?${query}`, secret: { name: 'the key', value: apiKey, text } };
}

export const keyRoutes: Routes = (app, options) => {
  const { store } = options;
  app.get('/panel/:blog/keys', async (c) => {
    return send(c, <KeysPage keys={await store.listKeys(c.get('blogVisit').blog.id)} />);
  });
  commandForms(app, options, 'keys', {
    'keys.create': { shows: showKey },
    'keys.rotate': { shows: showKey },
    'keys.revoke': { shows: { done: 'revoked' } },
    'blogs.domains': {
      args({ form }) {
        const domains = hostsIn(textOf(form, 'domains'));
        if (shownText(domains) === textOf(form, `${SEEN}domains`)) return {};
        return { domains, ...(domains.length === 0 && { clear: true }) };
      },
      shows: { done: 'domains' },
    },
  });
};

const hostsIn = (typed: string): string[] => typed.split(/\s+/).filter((host) => host !== '');

function KeysPage({ keys }: { keys: readonly KeyRecord[] }) {
  const { blog } = currentBlogVisit();
  const valid = keys.filter(({ revokedAt }) => revokedAt === null).map(nameOf);
  const none = 'No keys. Without a key, nobody can read the blog and no ad is delivered.';
  const caption = `Keys, ${valid.length} of them valid`;
  return (
    <Page title="Keys and domains" here="keys" labels={{ domains: 'Domains' }}>
      <Section id="keys" title="Keys" lead={mayManage() && <Rotation valid={valid} />}>
        <p>
          A key gives access to the published posts and the ads of <bdi>{blog.name}</bdi>. Anyone can read it in the
          pages of your site, so domains limit which clicks count. Rotating revokes all keys and creates a new one.
        </p>
        <Table caption={caption} sort="status" columns={columnsOf()} rows={keys} empty={none} />
        {mayManage() && (
          <Form to="keys.create" class="narrow">
            <Field name="label" label="What is the new key for?" hint="Such as: The site, The app" maxlength={100} />
            <Button name="Create key" />
          </Form>
        )}
      </Section>
      <Section id="domains-head" title="Domains" class="narrow">
        <p>
          {blog.domains.length === 0
            ? 'No domains: clicks count from any site, even from one that copied your key.'
            : 'Clicks count only when they come from a page of one of these domains.'}
        </p>
        <DomainForm />
      </Section>
    </Page>
  );
}

function Rotation({ valid }: { valid: readonly string[] }) {
  return (
    <FormButton to="keys.rotate" name="Rotate keys" confirm="Rotate the keys?">
      <p class="warn">
        {valid.length === 0
          ? 'The blog has no valid key. A new one will be created.'
          : `A new key will be created, and all others (${valid.join(', ')}) will stop working within a second. Pages and programs that use them show nothing until they have the new key. This cannot be undone.`}
      </p>
    </FormButton>
  );
}

function DomainForm() {
  const { domains } = currentBlogVisit().blog;
  const hint = (
    <>
      <code>news.example</code> allows only that host, <code>*.news.example</code> all its subdomains, and{' '}
      <code>localhost:4000</code> only that port. Leave empty to allow any site.
    </>
  );
  const area = { value: domains.join('\n'), rows: 4, spellcheck: false };
  return (
    <Form to="blogs.domains" submit="Save domains">
      <Field name="domains" label="One domain per line" hint={hint} {...area} />
    </Form>
  );
}

/** The name of a key for people: its label, or its first characters. */
const nameOf = ({ id, label, start }: KeyRecord): string => label ?? (start ? `${start}…` : id);

function columnsOf(): Columns<KeyRecord> {
  const { name: blog } = currentBlogVisit().blog;
  const { fullDay } = currentNumbers();
  return [
    {
      name: 'Key',
      wraps: true,
      by: (record) => nameOf(record),
      cell: ({ id, label, start }) => (
        <>
          {label && <bdi>{label}</bdi>} <code>{start ? `${start}…` : id}</code>
        </>
      ),
    },
    dayColumn('Created', ({ createdAt }) => createdAt, ''),
    { ...dayColumn<KeyRecord>('Last used', ({ usedAt }) => usedAt, 'never'), spare: false },
    {
      name: 'Status',
      by: ({ revokedAt }) => revokedAt ?? '',
      cell: ({ revokedAt }) =>
        revokedAt === null ? <State is="running">valid</State> : <State is="ended">revoked {fullDay(revokedAt)}</State>,
    },
    actionColumn((record) => {
      const { id, revokedAt } = record;
      if (revokedAt !== null) return null;
      const name = nameOf(record);
      const button = { kind: 'small danger', name: 'Revoke', about: name, action: `Revoke ${name}` } as const;
      return (
        <FormButton to="keys.revoke" fields={{ key: id }} {...button} confirm="Revoke this key?">
          <p class="warn">
            The key <bdi>{name}</bdi> of <bdi>{blog}</bdi> stops working within a second: pages that use it show
            nothing. This cannot be undone.
          </p>
        </FormButton>
      );
    }),
  ];
}
