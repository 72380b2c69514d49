import { shareOfDay, weeklyTraffic } from '@broadsheet/core';
import { deletedAdNames, excludedOf, knownCampaigns } from '@broadsheet/management';
import { HEADERS } from '../access/headers.ts';
import { render, send } from '../access/send.tsx';
import type { PanelContext, Routes } from '../access/visit.ts';
import { CLICKS, clickCells, csv, csvHeaders, percent, SEEN, seenCells } from '../figures/csv.ts';
import { type Figure, figuresOf } from '../figures/figures.ts';
import { hoursOf } from '../figures/hours.ts';
import { readPeriod } from '../figures/period.ts';
import type { Overview } from './metrics.ts';
import { OverviewPage } from './overview.tsx';

export const overviewRoutes: Routes = (app, { store }) => {
  async function read(c: PanelContext): Promise<Overview> {
    const visit = c.get('blogVisit');
    const query = visit.url.searchParams;
    const period = readPeriod(query, visit.now, visit.blog.timeZone);
    const { id, timeZone } = visit.blog;
    const filter = {
      ad: query.get('ad') || undefined,
      campaign: query.get('campaign') || undefined,
      sponsor: query.get('sponsor') || undefined,
      placement: query.get('placement') ?? undefined,
    };
    const { sponsor: _, ...counted } = filter;
    const range = { from: period.before[0], to: period.to };
    const [ads, nameOfDeleted, byAd, byPlacement, byTraffic, byDay] = await Promise.all([
      store.listAllAds(id),
      deletedAdNames(store, id, visit.now),
      store.figures(id, { by: ['day', 'ad', 'campaign'], ...counted, ...range }),
      store.figures(id, { by: ['day', 'placement'], ...counted, ...range }),
      store.figures(id, { by: ['traffic', 'campaign'], ...counted, from: period.from, to: period.to }),
      store.figures(id, { by: ['day'], ...range }),
    ]);
    const ids = byAd.map(({ campaign }) => campaign);
    const campaigns = await knownCampaigns(store, id, ids, visit.now);
    const traffic = await store.readHours(id, visit.now);
    // Today is compared with the same hours of an earlier day.
    const day = period.before[period.current];
    const share = shareOfDay(visit.now, timeZone, weeklyTraffic(traffic, visit.now));
    const partial = day === undefined ? undefined : { day, share };
    const figures = figuresOf(period, { ads, campaigns, nameOfDeleted, byAd, byPlacement, byDay, partial }, filter);
    const isListed = ({ campaign }: { readonly campaign: string }) =>
      filter.sponsor === undefined || figures.campaigns.some((one) => one.id === campaign);
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const hours = isFiltered ? undefined : hoursOf(period, traffic, { now: visit.now, timeZone });
    return { visit, period, filter, ads, figures, hours, excluded: excludedOf(byTraffic.filter(isListed)) };
  }
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
