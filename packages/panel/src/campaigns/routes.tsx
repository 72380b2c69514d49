import {
  addCampaign,
  CAMPAIGN_FIELDS,
  campaignVersion,
  editCampaign,
  listCampaigns,
  readCampaign,
  requireCampaign,
  revokeReport,
  shareReport,
} from '@broadsheet/management';
import type { Hono } from 'hono';
import { managersOnly, type PanelContext, type PanelEnv, textOf } from '../access/guard.tsx';
import { goTo, send } from '../access/send.ts';
import { logChange, mayManage, named, newPanelToken, panelPath } from '../access/visit.ts';
import { changedIn, readTyped } from '../layout/drafts.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { CampaignPage, fieldsOf, NewCampaign } from './campaign.tsx';
import { CampaignsPage } from './list.tsx';

export function campaignRoutes(app: Hono<PanelEnv>, options: PanelOptions): void {
  const { store } = options;
  const read = (c: PanelContext) => readPage(c, options);
  app.get('/panel/:blog/campaigns', async (c) => {
    const visit = c.get('blogVisit');
    const campaigns = await listCampaigns(store, visit.blog.id, visit.now);
    return send(<CampaignsPage visit={visit} campaigns={campaigns} />);
  });

  app.get('/panel/:blog/campaigns/new', managersOnly, (c) =>
    send(<NewCampaign visit={c.get('blogVisit')} fields={fieldsOf()} />),
  );
  app.post('/panel/:blog/campaigns/new', async (c) => {
    const visit = c.get('blogVisit');
    const fields = readTyped(CAMPAIGN_FIELDS, c.get('form'));
    c.set('again', (problems) => <NewCampaign visit={visit} fields={fields} problems={problems} />);
    const campaign = await addCampaign(store, visit.blog.id, fields, visit.now);
    await logChange(store, visit, `created the campaign ${named(campaign)}`);
    return goTo(`${panelPath(visit.blog.id, 'campaigns', campaign.id)}?done=saved`);
  });

  app.get('/panel/:blog/campaigns/:campaign', async (c) => {
    const page = await read(c);
    return send(<CampaignPage {...page} fields={fieldsOf(page.report.campaign)} />);
  });
  app.post('/panel/:blog/campaigns/:campaign', async (c) => {
    const [form, page] = [c.get('form'), await read(c)];
    const { visit, report } = page;
    const { campaign } = report;
    const fields = readTyped(CAMPAIGN_FIELDS, form);
    c.set('again', (problems) => <CampaignPage {...page} fields={fields} problems={problems} />);
    const edited = { blog: visit.blog.id, id: campaign.id, version: textOf(form, 'version') || undefined };
    const { after } = await editCampaign(store, edited, changedIn(fields, fieldsOf(campaign)), visit.now);
    await logChange(store, visit, `changed the campaign ${named(after)}`);
    return goTo(`${panelPath(visit.blog.id, 'campaigns', campaign.id)}?done=saved`);
  });
  linkRoutes(app, options);
}

async function readPage(c: PanelContext, { store }: PanelOptions) {
  const { url, ...rest } = c.get('blogVisit');
  const key = { blog: rest.blog.id, campaign: c.req.param('campaign') ?? '' };
  // The page is also the response to a form below its URL.
  const visit = { ...rest, url: new URL(panelPath(key.blog, 'campaigns', key.campaign) + url.search, url) };
  const report = await readCampaign(store, key.blog, key.campaign, visit.now);
  const links = mayManage(visit) ? await store.listReportLinks(key, visit.now) : [];
  return { visit, report, links, version: await campaignVersion(report.campaign) };
}

/** Creates report links, each of which is shown once, and revokes them. */
function linkRoutes(app: Hono<PanelEnv>, options: PanelOptions): void {
  const { store } = options;
  const find = async (c: PanelContext) => {
    const [visit, id] = [c.get('blogVisit'), c.req.param('campaign') ?? ''];
    const campaign = await requireCampaign(store, visit.blog.id, id);
    return { visit, campaign, key: { blog: visit.blog.id, campaign: id } };
  };
  app.post('/panel/:blog/campaigns/:campaign/share', async (c) => {
    const { visit, campaign, key } = await find(c);
    const token = newPanelToken();
    await shareReport(store, key, { token, expires: textOf(c.get('form'), 'expires') }, visit.now);
    await logChange(store, visit, `shared the report of the campaign ${named(campaign)}`);
    const page = await readPage(c, options);
    return send(<CampaignPage {...page} fields={fieldsOf(campaign)} newLink={`${visit.origin}/report/${token}`} />);
  });
  app.post('/panel/:blog/campaigns/:campaign/links/:link/revoke', async (c) => {
    const { visit, campaign, key } = await find(c);
    await revokeReport(store, key, c.req.param('link'));
    await logChange(store, visit, `revoked a link to the report of the campaign ${named(campaign)}`);
    return goTo(`${panelPath(visit.blog.id, 'campaigns', campaign.id)}?done=revoked`);
  });
}
