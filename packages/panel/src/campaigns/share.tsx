import type { CampaignReport, ReportLink } from '@broadsheet/management';
import { type BlogVisit, panelPath } from '../door/visit.ts';
import { Button } from '../layout/button.tsx';
import { Form, FormButton, Select } from '../layout/form.tsx';
import { type Columns, Moment, Table } from '../layout/table.tsx';

export interface ShareProps {
  report: CampaignReport;
  links: readonly ReportLink[];
  /** A link that was just created. */
  newLink?: string | undefined;
}

const EXPIRIES = [
  ['', 'never'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
] as const;

/** The report links of a campaign, and the form to create one. */
export function Share({ visit, report, links }: ShareProps & { visit: BlogVisit }) {
  const path = (...parts: string[]) => panelPath(visit.blog.id, 'campaigns', report.campaign.id, ...parts);
  const columns: Columns<ReportLink> = [
    { key: 'id', name: 'Link', cell: ({ id }) => <code>{id}</code> },
    {
      key: 'created',
      name: 'Created',
      spare: true,
      cell: ({ createdAt }) => <Moment at={createdAt} numbers={visit.numbers} />,
    },
    {
      key: 'expires',
      name: 'Expires',
      cell: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} numbers={visit.numbers} /> : 'never'),
    },
    {
      key: 'change',
      name: 'Actions',
      numeric: true,
      cell: ({ id }) => (
        <FormButton visit={visit} to={path('links', id, 'revoke')} kind="small danger" name="Revoke" about={id} />
      ),
    },
  ];
  return (
    <section aria-labelledby="share">
      <h2 id="share">Share</h2>
      <p>
        A report link shows the ads and the figures of this campaign, and nothing else, to everybody who has it, without
        signing in.
      </p>
      {links.length > 0 && <Table caption="Report links" url={visit.url} columns={columns} rows={links} inOrder />}
      <Form visit={visit} to={path('share')} class="narrow">
        <Select name="expires" label="Expires" problems={[]} value="" options={EXPIRIES} />
        <Button name="Share report" />
      </Form>
    </section>
  );
}

export function NewLink({ link }: { link: string }) {
  return (
    <div class="notice" role="status">
      <p>Send this link to the sponsor. It is not shown again.</p>
      <code class="secret" data-copy="the link">
        {link}
      </code>
    </div>
  );
}
