import { HEADERS } from '../access/headers.ts';
import { render, send } from '../access/send.tsx';
import type { PanelContext, Routes } from '../access/visit.ts';
import { CLICKS, type CsvColumns, csv, csvHeaders, percent, SEEN } from '../figures/csv.ts';
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
      return new Response(fileOf(file, overview), { headers: { ...HEADERS, ...csvHeaders(name) } });
    });
  }
};

type Row = Omit<Figure, 'before'>;

const id = ({ id }: Row) => id;
const name = ({ name }: Row) => name;
const note = ({ note }: Row) => note;
const delivered = ({ delivered }: Row) => delivered;

/** The first columns of each file. */
const FILES = {
  ads: { id, format: note, title: name, delivered },
  campaigns: { id, sponsor: ({ sponsor }) => sponsor, campaign: name, note, delivered },
  days: { day: name, delivered },
  placements: {
    placement: name,
    requests: ({ requests }) => requests,
    delivered,
    'fill %': ({ fill }) => percent(fill),
  },
  sponsors: { sponsor: name, delivered },
} satisfies Record<string, CsvColumns<Row>>;

function fileOf(file: keyof typeof FILES, { figures, period }: Overview): string {
  const none = { id: '', note: '', sponsor: '' };
  const days = figures.series.map((total, index) => ({ ...none, name: period.days[index] ?? '', ...total }));
  return csv<Row>({ ...FILES[file], ...CLICKS, ...SEEN }, file === 'days' ? days : figures[file]);
}
