/** @jsxImportSource hono/jsx */
import { listBin, restore } from '@broadsheet/management';
import type { BinEntry } from '@broadsheet/store';
import type { Hono } from 'hono';
import { logChange, textOf } from '../door/change.ts';
import type { PanelEnv } from '../door/guard.tsx';
import { goTo, send } from '../door/send.ts';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { numbersOf } from '../figures/numbers.ts';
import { safeReturn } from '../layout/address.ts';
import { OtherProblems, type Problems, problemsOf, statusOf } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { type Column, Moment, Table } from '../layout/table.tsx';
import { RestoreForm } from '../layout/undo.tsx';
import type { PanelOptions } from '../panel-options.ts';

/** The recycle bin of a blog: posts and ads that were deleted in the last thirty days. */
export function binRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/:blog/bin', async (c) => {
    const visit = c.get('blogVisit');
    return send(<BinPage visit={visit} entries={await listBin(store, visit.blog.id, visit.now)} />);
  });

  app.post('/panel/:blog/bin', async (c) => {
    const visit = c.get('blogVisit');
    const form = c.get('form');
    const kind = form['kind'] === 'ad' ? 'ad' : 'post';
    const key = { kind, id: textOf(form, 'id'), deletedAt: Number(textOf(form, 'deletedAt')) } as const;
    try {
      const { id, title } = await restore(store, visit.blog.id, key, visit.now);
      await logChange(store, visit, `restored the ${kind} “${title || id}”`);
      return goTo(safeReturn(form['back'], panelPath(visit.blog.id, 'bin'), 'restored'));
    } catch (error) {
      const page = { visit, problems: problemsOf(error), entries: await listBin(store, visit.blog.id, visit.now) };
      return send(<BinPage {...page} />, { status: statusOf(error) });
    }
  });
}

function BinPage({
  visit,
  entries,
  problems = [],
}: {
  visit: BlogVisit;
  entries: readonly BinEntry[];
  problems?: Problems;
}) {
  const numbers = numbersOf(visit.locale);
  const back = panelPath(visit.blog.id, 'bin');
  const columns: Column<BinEntry>[] = [
    { key: 'title', name: 'Title', words: true, cell: ({ title, id }) => title || id },
    { key: 'kind', name: 'Kind', cell: ({ kind }) => kind },
    {
      key: 'at',
      name: 'Deleted',
      cell: ({ deletedAt }) => <Moment at={new Date(deletedAt).toISOString()} numbers={numbers} />,
    },
  ];
  if (mayManage(visit)) {
    columns.push({
      key: 'change',
      name: 'Restore',
      cell: (entry) => <RestoreForm visit={visit} deleted={entry} back={back} />,
    });
  }
  return (
    <Page visit={visit} title="Recycle bin" here="bin">
      <OtherProblems problems={problems} fields={[]} />
      {entries.length === 0 ? (
        <p class="empty">The recycle bin is empty. Deleted posts and ads stay here for 30 days.</p>
      ) : (
        <Table caption="Recycle bin" url={visit.url} sort="at" columns={columns} rows={entries} inOrder />
      )}
    </Page>
  );
}
