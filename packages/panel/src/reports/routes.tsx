import { previewStyle } from '@broadsheet/ad-widget/server';
import { loadAsset } from '@broadsheet/http';
import { type CampaignReport, readCampaign } from '@broadsheet/management';
import type { Hono } from 'hono';
import type { PanelEnv } from '../access/guard.tsx';
import { REPORT_HEADERS, reportNotFound, reportPolicy } from '../access/send.ts';
import { csv, csvHeaders, percent } from '../figures/csv.ts';
import { numbersFor } from '../figures/numbers.ts';
import { REPORT_STYLE } from '../panel-files.ts';
import type { PanelOptions } from '../panel-options.ts';
import { ReportPage } from './report.tsx';

/** The report of a campaign for everybody who has a link to it, and its figures as a CSV file. */
export function reportRoutes(app: Hono<PanelEnv>, { store, clock = Date }: PanelOptions): void {
  app.get('/report/:name', async (c) => {
    const [token = '', isFile] = c.req.param('name').split('.');
    const now = clock.now();
    const key = await store.findReport(token, now);
    if (!key) return reportNotFound();
    const report = await readCampaign(store, key.blog, key.campaign, now);
    if (isFile) return new Response(csvOf(report), { headers: { ...REPORT_HEADERS, ...csvHeaders(fileOf(report)) } });
    const [blog] = await store.listBlogs(key.blog);
    const ads = (await store.listAllAds(key.blog)).filter(({ campaignId }) => campaignId === key.campaign);
    const files = await Promise.all(['broadsheet.css' as const, REPORT_STYLE].map(loadAsset));
    const style = files.map(({ body }) => body).join('');
    const page = {
      ...{ report, ads, style, blogName: blog?.name ?? key.blog, now, url: new URL(c.req.url) },
      numbers: numbersFor(c.req.header('accept-language')),
    };
    return new Response(`<!doctype html>\n${<ReportPage {...page} />}`, {
      headers: {
        ...REPORT_HEADERS,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': reportPolicy([style, previewStyle('BANNER'), previewStyle('POPUP')]),
      },
    });
  });
}

const fileOf = ({ campaign }: CampaignReport): string => `${campaign.sponsor} ${campaign.name}`;

/** The figures by day and ad. */
function csvOf({ ads, adDays, viewableRate }: CampaignReport): string {
  const byId = new Map(ads.map((ad) => [ad.id, ad]));
  const rows = adDays.map(({ day, adId, impressions, excluded, viewable, clicks }) => {
    const { title = '', format = '' } = byId.get(adId) ?? {};
    const valid = impressions - excluded;
    // If no viewable impression was ever reported, the number is unknown.
    const seen = viewableRate === null ? ['', ''] : [viewable, percent(valid > 0 ? viewable / valid : 0)];
    return [day, title, format, valid, ...seen, clicks, percent(valid > 0 ? clicks / valid : 0), excluded];
  });
  return csv([['day', 'ad', 'format', 'valid', 'viewable', 'viewable %', 'clicks', 'ctr %', 'not counted'], ...rows]);
}
