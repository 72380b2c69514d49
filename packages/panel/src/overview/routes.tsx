/** @jsxImportSource hono/jsx */
import type { Hono } from 'hono';
import type { PanelContext, PanelEnv } from '../door/guard.tsx';
import { HEADERS, send } from '../door/send.ts';
import { chartPaths } from '../figures/chart.tsx';
import { csv } from '../figures/csv.ts';
import { ctrOf, figuresOf, fillOf, NONE } from '../figures/figures.ts';
import { readPeriod } from '../figures/period.ts';
import type { PanelOptions } from '../panel-options.ts';
import { chartOf, liveTexts, type Overview } from './metrics.ts';
import { OverviewPage } from './overview.tsx';

/** The overview of a blog, its figures as they move, and as files. */
export function overviewRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  async function read(c: PanelContext): Promise<Overview> {
    const visit = c.get('blogVisit');
    const query = visit.url.searchParams;
    const period = readPeriod(query, visit.now);
    const { id } = visit.blog;
    const filter = { ad: query.get('ad') || undefined, placement: query.get('placement') ?? undefined };
    const [ads, sums] = await Promise.all([
      store.listAllAds(id),
      store.sumCounts(id, {
        days: period,
        before: { from: period.before[0] ?? period.from, to: period.before.at(-1) ?? period.from },
        adId: filter.ad,
        placement: filter.placement,
      }),
    ]);
    return { visit, period, filter, figures: figuresOf(period, ads, sums, filter) };
  }
  app.get('/panel/:blog', async (c) => send(<OverviewPage overview={await read(c)} />));
  app.get('/panel/:blog/live', async (c) => {
    const overview = await read(c);
    const body = { texts: liveTexts(overview), paths: chartPaths(chartOf(overview)) };
    return Response.json(body, { headers: HEADERS });
  });

  app.get('/panel/:blog/ads.csv', async (c) => {
    const overview = await read(c);
    const rows = overview.figures.ads.map((row) => [
      row.ad.id,
      row.ad.format,
      row.ad.title ?? '',
      row.impressions,
      row.clicks,
      percent(ctrOf(row)),
    ]);
    return file(overview, 'ads', csv(['id', 'format', 'title', 'impressions', 'clicks', 'ctr %'], rows));
  });
  app.get('/panel/:blog/days.csv', async (c) => {
    const overview = await read(c);
    const rows = overview.period.days.map((day, index) => {
      const count = overview.figures.series[index] ?? NONE;
      return [day, count.impressions, count.clicks, percent(ctrOf(count))];
    });
    return file(overview, 'days', csv(['day', 'impressions', 'clicks', 'ctr %'], rows));
  });
  app.get('/panel/:blog/placements.csv', async (c) => {
    const overview = await read(c);
    const rows = overview.figures.placements.map((row) => [
      row.placement,
      row.asked,
      row.impressions,
      percent(fillOf(row)),
      row.clicks,
      percent(ctrOf(row)),
    ]);
    const head = ['placement', 'asked', 'impressions', 'fill %', 'clicks', 'ctr %'];
    return file(overview, 'placements', csv(head, rows));
  });
}

const percent = (share: number): number => Math.round(share * 10_000) / 100;

function file({ visit, period }: Overview, what: string, text: string): Response {
  const name = `${visit.blog.id} ${what} ${period.from} to ${period.to}`.replace(/[^\w .-]/g, '_');
  return new Response(text, {
    headers: {
      ...HEADERS,
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
  });
}
