import { deletedAdNames } from '@broadsheet/management';
import type { Hono } from 'hono';
import type { PanelContext, PanelEnv } from '../door/guard.tsx';
import { HEADERS, send } from '../door/send.ts';
import { csv, csvHeaders, percent } from '../figures/csv.ts';
import {
  type Count,
  ctrOf,
  type Figures,
  figuresOf,
  fillOf,
  NONE,
  sponsorsOf,
  viewableOf,
} from '../figures/figures.ts';
import { readPeriod } from '../figures/period.ts';
import type { PanelOptions } from '../panel-options.ts';
import type { Overview } from './metrics.ts';
import { OverviewPage } from './overview.tsx';

/** The overview of a blog, and its figures as CSV files. */
export function overviewRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  async function read(c: PanelContext): Promise<Overview> {
    const visit = c.get('blogVisit');
    const query = visit.url.searchParams;
    const period = readPeriod(query, visit.now);
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
      store.sumCounts(id, {
        days: period,
        before,
        adId: filter.ad,
        placement: filter.placement,
      }),
    ]);
    const known = { ads, campaigns, ofCampaigns, nameOfDeleted };
    return { visit, period, filter, ads, figures: figuresOf(period, known, sums, filter) };
  }
  app.get('/panel/:blog', async (c) => send(<OverviewPage overview={await read(c)} />));
  for (const [name, tableOf] of Object.entries(FILES)) {
    app.get(`/panel/:blog/${name}.csv`, async (c) => {
      const overview = await read(c);
      const { visit, period } = overview;
      const { head, rows } = tableOf(overview);
      const file = `${visit.blog.id} ${name} ${period.from} to ${period.to}`;
      return new Response(csv(head, rows), { headers: { ...HEADERS, ...csvHeaders(file) } });
    });
  }
}

interface CsvTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The last columns of the CSV files; the viewable ones are empty if no viewable impression was ever reported. */
const SEEN = ['valid', 'viewable', 'viewable %'];
const seen = ({ measured }: Figures, count: Count): (string | number)[] =>
  measured ? [count.valid, count.viewable, percent(viewableOf(count))] : [count.valid, '', ''];

/** The tables of the CSV files, by file name. */
const FILES: Readonly<Record<string, (overview: Overview) => CsvTable>> = {
  ads: ({ figures }) => ({
    head: ['id', 'format', 'title', 'impressions', 'clicks', 'ctr %', ...SEEN],
    rows: figures.ads.map((row) => {
      const { id, format, title } = row.ad;
      return [id, format, title, row.impressions, row.clicks, percent(ctrOf(row)), ...seen(figures, row)];
    }),
  }),
  days: ({ figures, period }) => ({
    head: ['day', 'impressions', 'clicks', 'ctr %', ...SEEN],
    rows: period.days.map((day, index) => {
      const count = figures.series[index] ?? NONE;
      return [day, count.impressions, count.clicks, percent(ctrOf(count)), ...seen(figures, count)];
    }),
  }),
  campaigns: ({ figures }) => ({
    head: ['id', 'sponsor', 'campaign', 'impressions', 'clicks', 'ctr %', ...SEEN],
    rows: figures.campaigns.map((row) => {
      const { id, sponsor, name } = row.campaign;
      return [id, sponsor, name, row.impressions, row.clicks, percent(ctrOf(row)), ...seen(figures, row)];
    }),
  }),
  sponsors: ({ figures }) => ({
    head: ['sponsor', 'impressions', 'clicks', 'ctr %', ...SEEN],
    rows: sponsorsOf(figures.campaigns).map((row) => [
      row.sponsor,
      row.impressions,
      row.clicks,
      percent(ctrOf(row)),
      ...seen(figures, row),
    ]),
  }),
  placements: ({ figures }) => ({
    head: ['placement', 'requests', 'impressions', 'fill %', 'clicks', 'ctr %', ...SEEN],
    rows: figures.placements.map((row) => {
      const { placement, asked, impressions, clicks } = row;
      return [placement, asked, impressions, percent(fillOf(row)), clicks, percent(ctrOf(row)), ...seen(figures, row)];
    }),
  }),
};
