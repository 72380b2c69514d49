import type { LogEntry } from '@broadsheet/store';
import { send } from '../access/send.tsx';
import { currentUrl, type Routes } from '../access/visit.ts';
import { withQuery } from '../layout/address.ts';
import { Page } from '../layout/page.tsx';
import { currentRange, List, Pages } from '../layout/search.tsx';
import { type Columns, Moment } from '../layout/table.tsx';

/** The log of changes. People with access to one blog see only its entries. */
export const logRoutes: Routes = (app, { store }) => {
  app.get('/panel/log', async (c) => {
    const { person, url } = c.get('visit');
    const query = url.searchParams;
    const log = await store.readLog({
      blogId: person.blogId ?? (query.get('blog') || undefined),
      search: query.get('q')?.trim() || undefined,
      oldestFirst: query.get('sort') === '-time',
      ...currentRange(query),
    });
    return send(c, <LogPage {...log} />);
  });
};

function LogPage({ entries, total }: { entries: readonly LogEntry[]; total: number }) {
  const url = currentUrl();
  const columns: Columns<LogEntry> = [
    { name: 'Time', descending: true, by: ({ at }) => at, cell: ({ at }) => <Moment at={at} /> },
    { name: 'Person', wraps: true, spare: true, cell: ({ who }) => who },
    {
      name: 'Change',
      wraps: true,
      cell: ({ who, what }) => (
        <>
          {what} <small class="brief">{who}</small>
        </>
      ),
    },
    {
      name: 'Blog',
      spare: true,
      cell: ({ blogId: id }) =>
        id === null ? 'all' : <a href={withQuery(url, { blog: id, page: undefined })}>{id}</a>,
    },
  ];
  const empty = total === 0 && !url.search ? 'No changes yet. Every change is recorded here.' : 'No matching entries.';
  return (
    <Page title="Log" here="log">
      <List caption="Log" label="Search the log" sort="time" columns={columns} rows={entries} inOrder empty={empty} />
      <Pages total={total} />
    </Page>
  );
}
