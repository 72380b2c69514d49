import type { SnapshotAd } from '@broadsheet/contract';
import { loadAsset } from '@broadsheet/http';
import { adName, type CampaignReport, readCampaign } from '@broadsheet/management';
import { REPORT_HEADERS, reportNotFound, reportPolicy } from '../access/headers.ts';
import type { Routes } from '../access/routes.ts';
import { render } from '../access/send.tsx';
import { CLICKS, clickCells, csv, csvHeaders, SEEN, seenCells } from '../figures/csv.ts';
import { numbersFor } from '../figures/numbers.ts';
import { REPORT_STYLE } from '../panel-files.ts';
import { ReportPage } from './report.tsx';

/** The report of a campaign for everybody who has a link to it, and its figures as a CSV file. */
export const reportRoutes: Routes = (app, { store, clock = Date }) => {
  app.get('/report/:name', async (c) => {
    const [token = '', isFile] = c.req.param('name').split('.');
    const now = clock.now();
    const key = await store.findReport(token, now);
    if (!key) return reportNotFound();
    const all = await store.listAllAds(key.blog);
    const report = forSponsor(await readCampaign(store, key.blog, key.campaign, now), all);
    if (isFile) return new Response(csvOf(report), { headers: { ...REPORT_HEADERS, ...csvHeaders(fileOf(report)) } });
    const [blog = { name: key.blog, domains: [] }] = await store.listBlogs(key.blog);
    const ads = all.filter(({ campaignId }) => campaignId === key.campaign);
    const style = String((await loadAsset(REPORT_STYLE)).body);
    const page = {
      ...{ report, ads, style, blog, now, url: new URL(c.req.url), showsPace: key.showsPace === 1 },
      numbers: numbersFor(c.req.header('accept-language'), report.timeZone),
    };
    return new Response(render(c, <ReportPage {...page} />), {
      headers: {
        ...REPORT_HEADERS,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': reportPolicy(style),
      },
    });
  });
};

/** An ad without its private name, unless it has neither title nor text. */
const asShown = ({ name, ...ad }: SnapshotAd): SnapshotAd =>
  ad.title?.trim() || ad.content?.trim() ? ad : { ...ad, ...(name !== undefined && { name }) };

function forSponsor(report: CampaignReport, all: readonly SnapshotAd[]): CampaignReport {
  const names = new Map(all.map((ad) => [ad.id, adName(asShown(ad))]));
  return { ...report, ads: report.ads.map((ad) => ({ ...ad, title: names.get(ad.id) ?? ad.title })) };
}

const fileOf = ({ campaign }: CampaignReport): string => `${campaign.sponsor} ${campaign.name}`;

/** The figures by day and ad. */
function csvOf({ ads, adDays }: CampaignReport): string {
  const byId = new Map(ads.map((ad) => [ad.id, ad]));
  const rows = adDays.map(({ day, adId, ...total }) => {
    const { title = '', format = '' } = byId.get(adId) ?? {};
    return [day, title, format, ...seenCells(total), ...clickCells(total), total.delivered - total.valid];
  });
  return csv([['day', 'ad', 'format', ...SEEN, ...CLICKS, 'not counted'], ...rows]);
}
