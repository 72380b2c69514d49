import {
  deleteAd,
  deleteCampaign,
  deletePost,
  listBin,
  requireAd,
  requireCampaign,
  requirePost,
  restore,
} from '@broadsheet/management';
import type { BinEntry, BinKey } from '@broadsheet/store';
import type { Hono } from 'hono';
import { type PanelEnv, textOf } from '../access/guard.tsx';
import { goTo, send } from '../access/send.ts';
import { type BlogVisit, logChange, named, panelPath } from '../access/visit.ts';
import { safeReturn } from '../layout/address.ts';
import { ConfirmButton, FormButton, LinkButton, ProblemList, type Problems } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { actionColumn, type Columns, Moment, Table } from '../layout/table.tsx';
import type { PanelOptions } from '../panel-options.ts';

/** The recycle bin of a blog: posts, ads and campaigns that were deleted in the last 30 days. */
export function binRoutes(app: Hono<PanelEnv>, options: PanelOptions): void {
  const { store } = options;
  app.get('/panel/:blog/bin', async (c) => {
    const visit = c.get('blogVisit');
    return send(<BinPage visit={visit} entries={await listBin(store, visit.blog.id, visit.now)} />);
  });

  app.post('/panel/:blog/bin', async (c) => {
    const visit = c.get('blogVisit');
    const form = c.get('form');
    const kind = (['ad', 'campaign'] as const).find((name) => name === form['kind']) ?? 'post';
    const key = { kind, id: textOf(form, 'id'), deletedAt: Number(textOf(form, 'deletedAt')) } as const;
    c.set('again', async (problems) => (
      <BinPage visit={visit} problems={problems} entries={await listBin(store, visit.blog.id, visit.now)} />
    ));
    const { id, title } = await restore(store, visit.blog.id, key, visit.now);
    await logChange(store, visit, `restored the ${kind} ${named({ id, title })}`);
    return goTo(safeReturn(form['back'], panelPath(visit.blog.id, 'bin'), 'restored'));
  });
  deletionRoutes(app, options, 'ad');
  deletionRoutes(app, options, 'campaign');
  deletionRoutes(app, options, 'post');
}

const CONSEQUENCES = {
  ad: 'is no longer delivered. Its figures stay, and',
  campaign: 'and its ads are no longer delivered. Their figures stay, and',
  post: 'is no longer published, and its URL returns 404. But',
} as const;

const remove = { ad: deleteAd, campaign: deleteCampaign, post: deletePost };
const find = { ad: requireAd, campaign: requireCampaign, post: requirePost };

/** Deletes a post, an ad or a campaign, and offers to restore it at once. */
function deletionRoutes(app: Hono<PanelEnv>, { store }: PanelOptions, kind: BinKey['kind']): void {
  app.post(`/panel/:blog/${kind}s/:${kind}/delete`, async (c) => {
    const visit = c.get('blogVisit');
    const [blog, id] = [visit.blog.id, c.req.param(kind) ?? ''];
    const found = await find[kind](store, blog, id);
    await remove[kind](store, blog, id, visit.now);
    const what = `the ${kind} ${named(found)}`;
    await logChange(store, visit, `deleted ${what}`);
    return send(<Deleted visit={visit} what={what} deleted={{ kind, id: found.id, deletedAt: visit.now }} />);
  });
}

interface DeleteButtonProps {
  visit: BlogVisit;
  kind: BinKey['kind'];
  item: Parameters<typeof named>[0];
}

/** Deletes a post, an ad or a campaign, after a confirmation. */
export function DeleteButton({ visit, kind, item }: DeleteButtonProps) {
  return (
    <ConfirmButton
      visit={visit}
      to={panelPath(visit.blog.id, `${kind}s`, item.id, 'delete')}
      kind="small danger"
      name={`Delete ${kind}`}
      title={`Delete this ${kind}?`}
      action={`Delete ${named(item)}`}
    >
      <p>
        The {kind} {named(item)} {CONSEQUENCES[kind]} you can restore it from the recycle bin for 30 days.
      </p>
    </ConfirmButton>
  );
}

/** Reports what was deleted, and restores it if that was a mistake. */
function Deleted({ visit, what, deleted }: { visit: BlogVisit; what: string; deleted: BinKey }) {
  const here = `${deleted.kind}s`;
  const back = panelPath(visit.blog.id, here);
  return (
    <Page visit={visit} title="Deleted" here={here}>
      <div class="narrow">
        <p role="status">{`T${what.slice(1)}`} was deleted. It stays in the recycle bin for 30 days.</p>
        <div class="actions">
          <RestoreForm visit={visit} deleted={deleted} back={back} />
          <LinkButton kind="first" to={back} name="Continue" />
        </div>
      </div>
    </Page>
  );
}

function RestoreForm({ visit, deleted, back }: { visit: BlogVisit; deleted: BinKey; back: string }) {
  const { kind, id, deletedAt } = deleted;
  return (
    <FormButton
      visit={visit}
      to={panelPath(visit.blog.id, 'bin')}
      fields={{ kind, id, deletedAt, back }}
      name="Restore"
    />
  );
}

interface BinPageProps {
  visit: BlogVisit;
  entries: readonly BinEntry[];
  problems?: Problems;
}

function BinPage({ visit, entries, problems = [] }: BinPageProps) {
  const back = panelPath(visit.blog.id, 'bin');
  const columns: Columns<BinEntry> = [
    { name: 'Title', words: true, cell: ({ title, id }) => title || id },
    { name: 'Kind', cell: ({ kind }) => kind },
    {
      name: 'Deleted',
      cell: ({ deletedAt }) => <Moment at={new Date(deletedAt).toISOString()} numbers={visit.numbers} />,
    },
    actionColumn(visit, (entry) => <RestoreForm visit={visit} deleted={entry} back={back} />),
  ];
  return (
    <Page visit={visit} title="Recycle bin" here="bin">
      <ProblemList problems={problems} labels={{}} />
      <Table
        caption="Recycle bin"
        url={visit.url}
        columns={columns}
        rows={entries}
        empty="The recycle bin is empty. Deleted posts, ads and campaigns stay here for 30 days."
      />
    </Page>
  );
}
