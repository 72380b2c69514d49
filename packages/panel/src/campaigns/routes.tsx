import {
  addCampaign,
  CAMPAIGN_FIELDS,
  campaignVersion,
  editCampaign,
  listCampaigns,
  readCampaign,
} from '@broadsheet/management';
import type { Hono } from 'hono';
import { managersOnly, type PanelContext, type PanelEnv, textOf } from '../door/guard.tsx';
import { goTo, send } from '../door/send.ts';
import { logChange, named, panelPath } from '../door/visit.ts';
import { changedIn, readTyped } from '../layout/drafts.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { CampaignPage, fieldsOf, NewCampaign } from './campaign.tsx';
import { CampaignsPage } from './list.tsx';

/** The campaigns of a blog: listed, created and changed. */
export function campaignRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  const read = (c: PanelContext) => {
    const { blog, now } = c.get('blogVisit');
    return readCampaign(store, blog.id, c.req.param('campaign') ?? '', now);
  };
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
    const [visit, report] = [c.get('blogVisit'), await read(c)];
    const { campaign } = report;
    const version = await campaignVersion(campaign);
    return send(<CampaignPage visit={visit} report={report} version={version} fields={fieldsOf(campaign)} />);
  });
  app.post('/panel/:blog/campaigns/:campaign', async (c) => {
    const [visit, form, report] = [c.get('blogVisit'), c.get('form'), await read(c)];
    const { campaign } = report;
    const fields = readTyped(CAMPAIGN_FIELDS, form);
    const page = { visit, report, fields, version: await campaignVersion(campaign) };
    c.set('again', (problems) => <CampaignPage {...page} problems={problems} />);
    const edited = { blog: visit.blog.id, id: campaign.id, version: textOf(form, 'version') || undefined };
    const { after } = await editCampaign(store, edited, changedIn(fields, fieldsOf(campaign)), visit.now);
    await logChange(store, visit, `changed the campaign ${named(after)}`);
    return goTo(`${panelPath(visit.blog.id, 'campaigns', campaign.id)}?done=saved`);
  });
}
