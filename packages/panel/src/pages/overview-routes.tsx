/** @jsxImportSource hono/jsx */
import type { Hono } from 'hono';
import type { PanelContext, PanelEnv } from '../door/guard.tsx';
import { HEADERS } from '../door/policy.ts';
import { send } from '../door/send.ts';
import type { BlogVisit } from '../door/visit.ts';
import { chartPaths } from '../figures/chart.tsx';
import { csv } from '../figures/csv.ts';
import { ctrOf, figuresOf } from '../figures/figures.ts';
import { readPeriod } from '../figures/period.ts';
import type { PanelOptions } from '../panel.ts';
import { chartOf, liveTexts, type Overview, OverviewPage } from './overview.tsx';

/** The overview of a blog, its figures as they move, and as files. */
export function overviewRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  async function read(c: PanelContext): Promise<Overview> {
    const visit = c.get('visit') as BlogVisit;
    const period = readPeriod(visit.url.searchParams, visit.now);
    const [ads, counts] = await Promise.all([store.listAllAds(visit.blog.id), store.countsByDay(visit.blog.id)]);
    const wanted = visit.url.searchParams.get('ad') ?? undefined;
    const figures = figuresOf(period, ads, counts, wanted);
    return { visit, period, figures, ad: figures.ads.find(({ ad }) => ad.id === wanted)?.ad };
  }
  app.get('/panel/:blog', async (c) => send(<OverviewPage overview={await read(c)} />));
  app.get('/panel/:blog/live', async (c) => {
    const overview = await read(c);
    const body = { texts: liveTexts(overview), paths: chartPaths(chartOf(overview)) };
    return Response.json(body, { headers: HEADERS });
  });
  app.get('/panel/:blog/ads.csv', async (c) => {
    const { figures, period, visit } = await read(c);
    const rows = figures.ads.map((row) => [
      row.ad.id,
      row.ad.format,
      row.ad.title ?? '',
      row.impressions,
      row.clicks,
      percentOf(ctrOf(row)),
    ]);
    return file(
      `${visit.blog.id} ads ${period.from} to ${period.to}`,
      csv(['id', 'format', 'title', 'impressions', 'clicks', 'ctr %'], rows),
    );
  });
  app.get('/panel/:blog/days.csv', async (c) => {
    const { figures, period, visit } = await read(c);
    const rows = period.days.map((day, index) => {
      const count = figures.series[index] ?? { impressions: 0, clicks: 0 };
      return [day, count.impressions, count.clicks, percentOf(ctrOf(count))];
    });
    return file(
      `${visit.blog.id} days ${period.from} to ${period.to}`,
      csv(['day', 'impressions', 'clicks', 'ctr %'], rows),
    );
  });
}

const percentOf = (share: number): number => Math.round(share * 10_000) / 100;

function file(name: string, text: string): Response {
  const safe = name.replace(/[^\w .-]/g, '_');
  return new Response(text, {
    headers: {
      ...HEADERS,
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${safe}.csv"`,
    },
  });
}
