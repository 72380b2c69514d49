import type { KeyRecord } from '@broadsheet/store';
import { type BlogVisit, mayManage, panelPath } from '../access/visit.ts';
import { Button, ConfirmButton, Field, Form, FormButton, ProblemList, type Problems } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { actionColumn, type Columns, Table } from '../layout/table.tsx';

interface KeysPageProps {
  visit: BlogVisit;
  keys: readonly KeyRecord[];
  domains: string;
  problems?: Problems;
}

export function KeysPage({ visit, keys, domains, problems = [] }: KeysPageProps) {
  const { blog, url } = visit;
  return (
    <Page visit={visit} title="Keys and domains" here="keys">
      <Section id="keys" title="Keys" lead={mayManage(visit) && <KeyActions visit={visit} keys={keys} />}>
        <p>
          A key gives access to the published posts and the ads of {blog.name}. Anyone can read it in the pages of your
          site, so domains limit which clicks count. Rotating revokes all keys and creates a new one.
        </p>
        <Table
          caption={`Keys, ${validIn(keys).length} of them valid`}
          url={url}
          sort="state"
          columns={columnsOf(visit)}
          rows={keys}
          empty={`No keys. Without a key, nobody can read ${blog.name} and no ad is delivered.`}
        />
      </Section>
      <Section id="domains-head" title="Domains" class="narrow">
        <p>
          {blog.domains.length === 0
            ? 'No domains: clicks count from any site, even from one that copied your key.'
            : 'Clicks count only when they come from a page of one of these domains.'}
        </p>
        <DomainForm visit={visit} domains={domains} problems={problems} />
      </Section>
    </Page>
  );
}

const validIn = (keys: readonly KeyRecord[]) => keys.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);

function KeyActions({ visit, keys }: Pick<KeysPageProps, 'visit' | 'keys'>) {
  const { blog } = visit;
  const valid = validIn(keys);
  return (
    <div class="actions">
      <FormButton visit={visit} to={panelPath(blog.id, 'keys', 'create')} name="Create key" />
      <ConfirmButton
        visit={visit}
        to={panelPath(blog.id, 'keys', 'rotate')}
        name="Rotate keys"
        title="Rotate the keys?"
      >
        <p class="warn">
          {valid.length === 0
            ? `${blog.name} has no valid key. A new one is created.`
            : `A new key is created, and all others of ${blog.name} (${valid.join(', ')}) stop working within a second: pages and programs that use them show nothing until they have the new key. This cannot be undone.`}
        </p>
      </ConfirmButton>
    </div>
  );
}

function DomainForm({ visit, domains, problems }: Omit<KeysPageProps, 'keys'> & { problems: Problems }) {
  const { blog } = visit;
  const manages = mayManage(visit);
  return (
    <Form visit={visit} to={panelPath(blog.id, 'keys', 'domains')}>
      <input type="hidden" name="before" value={blog.domains.join(' ')} />
      <ProblemList problems={problems} labels={{ domains: 'Domains' }} />
      <fieldset disabled={!manages}>
        <Field
          name="domains"
          label="One domain per line"
          problems={problems}
          hint={
            <>
              <code>news.example</code> allows only that host, <code>*.news.example</code> all its subdomains, and{' '}
              <code>localhost:4000</code> only that port. Leave empty to allow any site.
            </>
          }
          value={domains}
          rows={4}
          spellcheck={false}
        />
        {manages && <Button name="Save domains" />}
      </fieldset>
    </Form>
  );
}

function columnsOf(visit: BlogVisit): Columns<KeyRecord> {
  const { blog, numbers } = visit;
  return [
    { key: 'id', name: 'Key', by: ({ id }) => id, cell: ({ id }) => <code>{id}</code> },
    {
      key: 'created',
      name: 'Created',
      spare: true,
      by: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => numbers.moment(createdAt),
    },
    {
      key: 'state',
      name: 'Status',
      by: ({ revokedAt }) => revokedAt ?? '',
      cell: ({ revokedAt }) =>
        revokedAt === null ? (
          <span class="state running">valid</span>
        ) : (
          <span class="state ended">revoked {numbers.fullDay(revokedAt)}</span>
        ),
    },
    actionColumn(
      visit,
      ({ id, revokedAt }) =>
        revokedAt === null && (
          <ConfirmButton
            visit={visit}
            to={panelPath(blog.id, 'keys', id, 'revoke')}
            kind="small danger"
            name="Revoke"
            about={id}
            title="Revoke this key?"
            action={`Revoke ${id}`}
          >
            <p class="warn">
              The key <code>{id}</code> of {blog.name} stops working within a second: pages that use it show nothing.
              This cannot be undone.
            </p>
          </ConfirmButton>
        ),
    ),
  ];
}
