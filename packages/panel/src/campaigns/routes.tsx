import type { SnapshotCampaign } from '@broadsheet/contract';
import { listCampaigns, readCampaign, recentPlacements, requireItem, versionOf } from '@broadsheet/management';
import { commandForms } from '../access/command-forms.ts';
import { managersOnly } from '../access/guard.tsx';
import type { Routes } from '../access/routes.ts';
import { send } from '../access/send.tsx';
import { type FormFields, textOf, textsOf } from '../access/sent.ts';
import { mayManage, partOf } from '../access/visit.ts';
import { changedIn } from '../layout/drafts.tsx';
import { CampaignPage, fieldsOf, NewCampaign } from './campaign.tsx';
import { CampaignsPage } from './list.tsx';

export const campaignRoutes: Routes = (app, options) => {
  const { store } = options;
  app.get('/panel/:blog/campaigns', async (c) => {
    const { blog, now } = c.get('blogVisit');
    return send(c, <CampaignsPage campaigns={await listCampaigns(store, blog.id, now)} />);
  });

  app.get('/panel/:blog/campaigns.add', managersOnly, async (c) => {
    const { blog, now } = c.get('blogVisit');
    return send(c, <NewCampaign places={await recentPlacements(store, blog, now)} />);
  });

  app.get('/panel/:blog/campaigns/:campaign', async (c) => {
    const visit = c.get('blogVisit');
    const key = { blog: visit.blog.id, campaign: partOf(c, 'campaign') };
    const report = await readCampaign(store, key.blog, key.campaign, visit.now);
    const links = mayManage(visit) ? await store.listReportLinks(key, visit.now) : [];
    const version = await versionOf(report.campaign);
    const places = await recentPlacements(store, visit.blog, visit.now);
    return send(c, <CampaignPage {...{ report, links, version, places }} />);
  });

  commandForms(app, options, {
    'campaigns.add': {
      page: 'campaigns.add',
      args: ({ form, typed }) => ({ ...typed, ...placementsIn(form) }),
      shows: ({ id }: SnapshotCampaign, { path }) => ({ to: path('campaigns', id), done: 'saved' }),
    },
    'campaigns.edit': {
      page: 'campaigns/:campaign',
      args: async ({ form, typed: { placements: _, ...typed }, blog, visit }) => ({
        ...changedIn(typed, fieldsOf(await requireItem(store, 'campaign', blog, textOf(form, 'campaign')), visit)),
        ...placementsIn(form),
      }),
      shows: { done: 'saved' },
    },
    'campaigns.pause': { page: 'campaigns/:campaign', shows: { done: 'interrupted' } },
    'campaigns.resume': { page: 'campaigns/:campaign', shows: { done: 'continued' } },
    'campaigns.report': {
      page: 'campaigns/:campaign',
      args: ({ typed, visit }) => ('revoke' in typed ? typed : { ...typed, link: true, url: visit.origin }),
      shows: ({ link, linkId }: { readonly link: string; readonly linkId?: string }) => {
        const text = 'Send this link to the sponsor. It is not shown again.';
        return linkId === undefined ? { done: 'revoked' } : { secret: { name: 'the link', value: link, text } };
      },
    },
  });
};

/** The placements of a form: those that were chosen, and others, one per line. A form without the field has none. */
function placementsIn(form: FormFields): { readonly placements?: readonly string[] } {
  const others = textsOf(form, 'otherPlacements');
  if (others.length === 0) return {};
  const typed = others.flatMap((text) => text.split('\n')).map((line) => line.trim());
  return { placements: [...new Set([...textsOf(form, 'placements'), ...typed.filter((line) => line !== '')])] };
}
