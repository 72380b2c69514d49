import type { KeyRecord } from '@broadsheet/store';
import { currentBlogVisit, mayManage } from '../access/visit.ts';
import { Button, Field, Form, FormButton } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import { actionColumn, type Columns, Table } from '../layout/table.tsx';

export function KeysPage({ keys }: { keys: readonly KeyRecord[] }) {
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
        <Table caption={caption} sort="state" columns={columnsOf()} rows={keys} empty={none} />
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
          ? 'The blog has no valid key. A new one is created.'
          : `A new key is created, and all others (${valid.join(', ')}) stop working within a second: pages and programs that use them show nothing until they have the new key. This cannot be undone.`}
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
    <Form to="blogs.domains" fields={{ before: domains.join(' ') }} submit="Save domains">
      <Field name="domains" label="One domain per line" hint={hint} {...area} />
    </Form>
  );
}

/** What people call a key: its label, or its first characters. */
const nameOf = ({ id, label, start }: KeyRecord): string => label ?? (start ? `${start}…` : id);

function columnsOf(): Columns<KeyRecord> {
  const { blog, numbers } = currentBlogVisit();
  return [
    {
      key: 'label',
      name: 'Key',
      words: true,
      by: (record) => nameOf(record),
      cell: ({ id, label, start }) => (
        <>
          {label && <bdi>{label}</bdi>} <code>{start ? `${start}…` : id}</code>
        </>
      ),
    },
    {
      key: 'created',
      name: 'Created',
      spare: true,
      by: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => numbers.moment(createdAt),
    },
    {
      key: 'used',
      name: 'Last used',
      by: ({ usedAt }) => usedAt ?? '',
      cell: ({ usedAt }) => (usedAt ? numbers.fullDay(usedAt) : 'never'),
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
    actionColumn((record) => {
      const { id, revokedAt } = record;
      if (revokedAt !== null) return null;
      const name = nameOf(record);
      const button = { kind: 'small danger', name: 'Revoke', about: name, action: `Revoke ${name}` } as const;
      return (
        <FormButton to="keys.revoke" fields={{ key: id }} {...button} confirm="Revoke this key?">
          <p class="warn">
            The key <bdi>{name}</bdi> of <bdi>{blog.name}</bdi> stops working within a second: pages that use it show
            nothing. This cannot be undone.
          </p>
        </FormButton>
      );
    }),
  ];
}
