import type { SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import { dayOf } from '@broadsheet/core';
import {
  adName,
  campaignStates,
  fileName,
  mediaUrl,
  OperationError,
  RECENT_DAYS,
  readImage,
  requireItem,
  type ServerStore,
  toBase64,
  versionOf,
} from '@broadsheet/management';
import type { BlogRecord } from '@broadsheet/store';
import { type CommandForm, commandForms, type Submission } from '../access/command-forms.ts';
import { managersOnly } from '../access/guard.tsx';
import type { Routes } from '../access/routes.ts';
import { AD_POLICY, send } from '../access/send.tsx';
import { filesOf, textOf, textsOf } from '../access/sent.ts';
import { blogPath, mayManage, partOf } from '../access/visit.ts';
import { changedIn } from '../layout/drafts.tsx';
import { LinkButton } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { DeleteButton } from '../pages/bin.tsx';
import { AD_LABELS, AdForm, fieldsOf, PreviewPage } from './form.tsx';
import { ActivityButton, AdsPage, EndingSoon, type States, stateOf } from './list.tsx';

export const adRoutes: Routes = (app, options) => {
  const { store } = options;
  app.get('/panel/:blog/ads', async (c) => {
    const { blog, now } = c.get('blogVisit');
    const ads = await store.listAllAds(blog.id);
    const page = {
      ...{ ads, states: await campaignStates(store, blog.id, ads, now) },
      campaigns: await store.listCampaigns(blog.id),
      impressions: await recentImpressions(store, blog, now),
    };
    return send(c, <AdsPage {...page} />);
  });

  app.get('/panel/:blog/ads/preview', (c) => send(c, <PreviewPage />, { policy: AD_POLICY }));

  app.get('/panel/:blog/ads.add', managersOnly, async (c) => {
    const { id } = c.get('blogVisit').blog;
    const { campaign, copy = textOf(c.env.sent?.fields ?? {}, 'copy') } = c.req.query();
    const ad = copy === '' ? undefined : await requireItem(store, 'ad', id, copy);
    const typed = { ...fieldsOf(ad, c.get('visit')), ...(campaign && { campaignId: campaign }) };
    return send(
      c,
      <Page title="New ad" here="ads" labels={AD_LABELS}>
        <AdForm copy={copy || undefined} typed={typed} campaigns={await store.listCampaigns(id)} />
      </Page>,
    );
  });

  app.get('/panel/:blog/ads/:ad', async (c) => {
    const { blog, now } = c.get('blogVisit');
    const ad = await requireItem(store, 'ad', blog.id, partOf(c, 'ad'));
    const states = await campaignStates(store, blog.id, [ad], now);
    const campaigns = await store.listCampaigns(blog.id);
    return send(c, <OneAd {...{ ad, states, campaigns }} version={await versionOf(ad)} />);
  });

  commandForms(app, options, {
    'ads.add': {
      page: 'ads.add',
      async args(sent) {
        const typed = await withImage(sent);
        const copy = textOf(sent.form, 'copy');
        if (copy === '') return typed;
        const original = await requireItem(store, 'ad', sent.blog, copy);
        const before = fieldsOf(original, sent.visit);
        // The form has days; one that was not changed keeps its time.
        const times = (['startsAt', 'endsAt'] as const).filter((name) => (typed[name] ?? '') === before[name]);
        return { ...typed, ...Object.fromEntries(times.map((name) => [name, original[name]])) };
      },
      shows: (ad: SnapshotAd, { path }) => ({ to: path('ads', ad.id), ...saved(ad) }),
    },
    'ads.edit': {
      page: 'ads/:ad',
      async args(sent) {
        const before = await requireItem(store, 'ad', sent.blog, textOf(sent.form, 'ad'));
        return changedIn(await withImage(sent), fieldsOf(before, sent.visit));
      },
      shows: ({ after }: { after: SnapshotAd }) => saved(after),
    },
    'ads.pause': activityForm('paused'),
    'ads.resume': activityForm('resumed'),
  });
};

const DAY = 86_400_000;

/** The valid impressions of the last days, by ad. */
async function recentImpressions(store: ServerStore, { id, timeZone }: BlogRecord, now: number) {
  const from = dayOf(now - (RECENT_DAYS - 1) * DAY, timeZone);
  const figures = await store.figures(id, { by: ['ad'], from });
  return new Map(figures.map(({ ad, valid }) => [ad, valid]));
}

const saved = ({ linkUrl }: SnapshotAd) => ({ done: linkUrl === null ? 'unlinked' : 'saved' });

/** Acts on one ad, or on those selected in the list. */
const activityForm = (done: string): CommandForm => ({
  page: 'ads',
  async run(change, { form }) {
    const ads = textsOf(form, 'ad');
    if (ads.length === 0) throw new OperationError('No ad is selected. Select at least one.');
    for (const ad of ads) await change({ ad });
  },
  shows: { done },
});

/** What was typed, with the image file of the form. @throws OperationError when the file cannot be stored */
async function withImage({ form, typed, visit }: Submission): Promise<Submission['typed']> {
  const [file] = filesOf(form, 'image');
  // Without a choice, a browser sends an empty file without a name.
  if (!file?.name) return typed;
  const image = await readImage(new Uint8Array(await file.arrayBuffer()), file.name);
  const isNamed = [typed['name'], typed['title']].some(Boolean);
  const name = isNamed ? {} : { name: fileName(file.name) };
  return { ...typed, ...name, imageUrl: mediaUrl(visit.origin, image), image: toBase64(image.bytes) };
}

interface OneAdProps {
  ad: SnapshotAd;
  version: string;
  campaigns: readonly SnapshotCampaign[];
  states: States;
}

function OneAd({ ad, version, campaigns, states }: OneAdProps) {
  const { state, hint } = stateOf(ad, states);
  const id = encodeURIComponent(ad.id);
  const lead = (
    <div class="actions">
      <span class={`state ${state}`}>
        {state}: {hint}
      </span>
      <LinkButton kind="small" to={`${blogPath()}?ad=${id}`} name="Show figures" />
      {mayManage() && (
        <>
          <ActivityButton ad={ad} />
          <LinkButton kind="small" to={`${blogPath('ads.add')}?copy=${id}`} name="Duplicate" />
          <DeleteButton kind="ad" item={ad} />
        </>
      )}
    </div>
  );
  return (
    <Page title={adName(ad)} here="ads" labels={AD_LABELS} lead={lead}>
      <EndingSoon ads={[ad]} states={states} />
      <AdForm edited={{ ad: ad.id, version }} typed={fieldsOf(ad)} campaigns={campaigns} />
    </Page>
  );
}
