import type { ReportLink } from '@broadsheet/management';
import { type BlogVisit, panelPath } from '../access/visit.ts';
import { Button, Field, Form, FormButton } from '../layout/form.tsx';
import { Section } from '../layout/page.tsx';
import { actionColumn, type Columns, Moment, Table } from '../layout/table.tsx';

interface ShareProps {
  visit: BlogVisit;
  /** The id of the campaign. */
  campaign: string;
  links: readonly ReportLink[];
}

const EXPIRIES = [
  ['', 'never'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
] as const;

export function Share({ visit, campaign, links }: ShareProps) {
  const path = (...parts: string[]) => panelPath(visit.blog.id, 'campaigns', campaign, ...parts);
  const columns: Columns<ReportLink> = [
    { name: 'Link', cell: ({ id }) => <code>{id}</code> },
    { name: 'Created', spare: true, cell: ({ createdAt }) => <Moment at={createdAt} numbers={visit.numbers} /> },
    {
      name: 'Expires',
      cell: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} numbers={visit.numbers} /> : 'never'),
    },
    actionColumn(visit, ({ id }) => (
      <FormButton visit={visit} to={path('links', id, 'revoke')} kind="small danger" name="Revoke" about={id} />
    )),
  ];
  return (
    <Section id="share" title="Share">
      <p>
        A report link shows the ads and the figures of this campaign, and nothing else, to everybody who has it, without
        signing in.
      </p>
      {links.length > 0 && <Table caption="Report links" url={visit.url} columns={columns} rows={links} />}
      <Form visit={visit} to={path('share')} class="narrow">
        <Field name="expires" label="Expires" value="" options={EXPIRIES} />
        <Button name="Share report" />
      </Form>
    </Section>
  );
}
