import { HEADERS } from '../access/headers.ts';
import { render, send } from '../access/send.tsx';
import type { PanelContext, Routes } from '../access/visit.ts';
import { CLICKS, clickCells, csv, csvHeaders, percent, SEEN, seenCells } from '../figures/csv.ts';
import type { Figure } from '../figures/figures.ts';
import { OverviewPage } from './overview.tsx';
import { type Overview, readOverview } from './read.ts';

export const overviewRoutes: Routes = (app, { store }) => {
  const read = (c: PanelContext) => readOverview(store, c.get('blogVisit'));
  app.get('/panel/:blog', async (c) => send(c, <OverviewPage overview={await read(c)} />));
  // The small file with which an open page updates its figures.
  app.get('/panel/:blog/live.json', async (c) => {
    const live = new Map<string, string>();
    c.set('live', live);
    render(c, <OverviewPage overview={await read(c)} />);
    return Response.json(Object.fromEntries(live), { headers: HEADERS });
  });
  for (const file of Object.keys(FILES) as (keyof typeof FILES)[]) {
    app.get(`/panel/:blog/${file}.csv`, async (c) => {
      const overview = await read(c);
      const { visit, period } = overview;
      const name = `${visit.blog.id} ${file} ${period.from} to ${period.to}`;
      return new Response(csv(tableOf(file, overview)), { headers: { ...HEADERS, ...csvHeaders(name) } });
    });
  }
};

type Named = Pick<Figure, 'id' | 'name' | 'note' | 'sponsor'>;

/** The first columns of each file, with what they contain. */
const FILES = {
  ads: { id: 'id', format: 'note', title: 'name' },
  campaigns: { id: 'id', sponsor: 'sponsor', campaign: 'name', note: 'note' },
  days: { day: 'name' },
  placements: { placement: 'name' },
  sponsors: { sponsor: 'name' },
} as const satisfies Record<string, Readonly<Record<string, keyof Named>>>;

/** The table of a CSV file. Its viewable columns are empty if no viewable impression was ever reported. */
function tableOf(file: keyof typeof FILES, { figures, period }: Overview): (string | number)[][] {
  const none = { id: '', note: '', sponsor: '' };
  const days = figures.series.map((total, index) => ({ ...none, name: period.days[index] ?? '', ...total }));
  const names: Readonly<Record<string, keyof Named>> = FILES[file];
  const slots = file === 'placements';
  const head = [
    ...Object.keys(names),
    ...(slots ? ['requests', 'delivered', 'fill %'] : ['delivered']),
    ...CLICKS,
    ...SEEN,
  ];
  const rows = (file === 'days' ? days : figures[file]).map((row) => [
    ...Object.values(names).map((name) => row[name]),
    ...(slots ? [row.requests, row.delivered, percent(row.fill)] : [row.delivered]),
    ...clickCells(row),
    ...seenCells(row),
  ]);
  return [head, ...rows];
}
