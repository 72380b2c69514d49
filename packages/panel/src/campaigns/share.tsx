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
  ['', 'until it is revoked'],
  ['30d', 'for 30 days'],
  ['90d', 'for 90 days'],
  ['365d', 'for a year'],
] as const;

/** The links to the report of a campaign. */
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
        A link shows the ads and the figures of this campaign to everybody who has it, without signing in. It shows
        nothing else.
      </p>
      {links.length > 0 && (
        <Table caption="Links to the report" url={visit.url} columns={columns} rows={links} inOrder />
      )}
      <Form visit={visit} to={path('share')} class="narrow">
        <Select name="expires" label="The link works" problems={[]} value="" options={EXPIRIES} />
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
