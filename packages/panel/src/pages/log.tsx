import type { LogEntry } from '@broadsheet/management';
import type { Hono } from 'hono';
import type { PanelEnv } from '../access/guard.tsx';
import { send } from '../access/send.ts';
import type { Visit } from '../access/visit.ts';
import { withQuery } from '../layout/address.ts';
import { Page } from '../layout/page.tsx';
import { List, Pages, readPage } from '../layout/search.tsx';
import { type Columns, Moment } from '../layout/table.tsx';
import type { PanelOptions } from '../panel-options.ts';

const PAGE_SIZE = 100;

/** The log of changes. People with access to one blog see only its entries. */
export function logRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/log', async (c) => {
    const visit = c.get('visit');
    const query = visit.url.searchParams;
    const { entries, total } = await store.readLog({
      blogId: visit.person.blogId ?? (query.get('blog') || undefined),
      search: query.get('q')?.trim() || undefined,
      oldestFirst: query.get('sort') === '-at',
      offset: (readPage(query) - 1) * PAGE_SIZE,
      limit: PAGE_SIZE,
    });
    return send(<LogPage visit={visit} entries={entries} total={total} />);
  });
}

function LogPage({ visit, entries, total }: { visit: Visit; entries: readonly LogEntry[]; total: number }) {
  const { url, numbers } = visit;
  const columns: Columns<LogEntry> = [
    {
      key: 'at',
      name: 'Time',
      falling: true,
      by: ({ at }) => at,
      cell: ({ at }) => <Moment at={at} numbers={numbers} />,
    },
    { name: 'Person', words: true, cell: ({ who }) => who },
    { name: 'Change', words: true, cell: ({ what }) => what },
    {
      name: 'Blog',
      spare: true,
      cell: ({ blogId }) =>
        blogId === null ? 'all' : <a href={withQuery(url, { blog: blogId, page: undefined })}>{blogId}</a>,
    },
  ];
  return (
    <Page visit={visit} title="Log" here="log">
      <List
        caption="Log"
        label="Search the log"
        url={url}
        sort="at"
        columns={columns}
        rows={entries}
        inOrder
        empty={total === 0 && !url.search ? 'No changes yet. Every change is recorded here.' : 'No matching entries.'}
      />
      <Pages url={url} total={total} size={PAGE_SIZE} />
    </Page>
  );
}
