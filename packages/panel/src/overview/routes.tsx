import { deletedAdNames } from '@broadsheet/management';
import type { Hono } from 'hono';
import type { PanelContext, PanelEnv } from '../access/guard.tsx';
import { HEADERS, send } from '../access/send.ts';
import { csv, csvHeaders, percent } from '../figures/csv.ts';
import { ctrOf, figuresOf, fillOf, NONE, viewableOf } from '../figures/figures.ts';
import { readPeriod } from '../figures/period.ts';
import type { PanelOptions } from '../panel-options.ts';
import type { Overview } from './metrics.ts';
import { OverviewPage } from './overview.tsx';

/** The overview of a blog, and its figures as CSV files. */
export function overviewRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  async function read(c: PanelContext): Promise<Overview> {
    const visit = c.get('blogVisit');
    const query = visit.url.searchParams;
    const period = readPeriod(query, visit.now, visit.blog.timeZone);
    const { id } = visit.blog;
    const before = { from: period.before[0] ?? period.from, to: period.before.at(-1) ?? period.from };
    const filter = {
      ad: query.get('ad') || undefined,
      campaign: query.get('campaign') || undefined,
      sponsor: query.get('sponsor') || undefined,
      placement: query.get('placement') ?? undefined,
    };
    const [ads, campaigns, ofCampaigns, nameOfDeleted, sums] = await Promise.all([
      store.listAllAds(id),
      store.listCampaigns(id),
      store.countsByCampaign(id, { from: before.from, to: period.to }),
      deletedAdNames(store, id, visit.now),
      store.sumCounts(id, { days: period, before, adId: filter.ad, placement: filter.placement }),
    ]);
    const known = { ads, campaigns, ofCampaigns, nameOfDeleted };
    return { visit, period, filter, ads, figures: figuresOf(period, known, sums, filter) };
  }
  app.get('/panel/:blog', async (c) => send(<OverviewPage overview={await read(c)} />));
  for (const file of Object.keys(FILES) as (keyof typeof FILES)[]) {
    app.get(`/panel/:blog/${file}.csv`, async (c) => {
      const overview = await read(c);
      const { visit, period } = overview;
      const name = `${visit.blog.id} ${file} ${period.from} to ${period.to}`;
      return new Response(csv(tableOf(file, overview)), { headers: { ...HEADERS, ...csvHeaders(name) } });
    });
  }
}

const FILES = {
  ads: ['id', 'format', 'title'],
  campaigns: ['id', 'sponsor', 'campaign'],
  days: ['day'],
  placements: ['placement'],
  sponsors: ['sponsor'],
} as const;

/** The table of a CSV file. Its viewable columns are empty if no viewable impression was ever reported. */
function tableOf(file: keyof typeof FILES, { figures, period }: Overview): (string | number)[][] {
  const days = period.days.map((day, index) => ({ id: day, name: day, note: '', ...(figures.series[index] ?? NONE) }));
  const names = FILES[file];
  const slots = file === 'placements';
  const counts = slots ? ['requests', 'impressions', 'fill %'] : ['impressions'];
  const head = [...names, ...counts, 'clicks', 'ctr %', 'valid', 'viewable', 'viewable %'];
  const rows = (file === 'days' ? days : figures[file]).map((row) => [
    ...(names.length > 1 ? [row.id, row.note, row.name] : [row.name]),
    ...(slots ? [row.requests, row.impressions, percent(fillOf(row))] : [row.impressions]),
    row.clicks,
    percent(ctrOf(row)),
    row.valid,
    ...(figures.measured ? [row.viewable, percent(viewableOf(row))] : ['', '']),
  ]);
  return [head, ...rows];
}
