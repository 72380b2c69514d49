import type { SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import {
  AD_FIELDS,
  adName,
  campaignStates,
  fileName,
  mediaUrl,
  readImage,
  requireItem,
  toBase64,
  versionOf,
} from '@broadsheet/management';
import { commandForms, type Submission } from '../access/command-forms.ts';
import { managersOnly } from '../access/guard.tsx';
import type { Routes } from '../access/routes.ts';
import { AD_POLICY, send } from '../access/send.tsx';
import { filesOf, textOf } from '../access/sent.ts';
import { blogPath, mayManage, partOf } from '../access/visit.ts';
import { changedIn } from '../layout/drafts.tsx';
import { LinkButton } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { State } from '../layout/table.tsx';
import { DeleteButton } from '../pages/bin.tsx';
import { AD_LABELS, AdForm, PreviewPage } from './form.tsx';
import { ActivityButton, EndingSoon, type States, stateOf } from './list.tsx';

/** The pages of one ad, and their forms. */
export const adRoutes: Routes = (app, options) => {
  const { store } = options;
  app.get('/panel/:blog/ads/preview', (c) => send(c, <PreviewPage />, { policy: AD_POLICY }));

  app.get('/panel/:blog/ads.add', managersOnly, async (c) => {
    const { id } = c.get('blogVisit').blog;
    const { campaign, copy = textOf(c.env.sent?.fields ?? {}, 'copy') } = c.req.query();
    const ad = copy === '' ? undefined : await requireItem(store, 'ad', id, copy);
    const values = { ...(ad ?? NEW), ...(campaign && { campaignId: campaign }) };
    return send(
      c,
      <Page title="New ad" here="ads" labels={AD_LABELS}>
        <AdForm to="ads.add" fields={copy ? { copy } : {}} values={values} campaigns={await store.listCampaigns(id)} />
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
        const { startsAt, endsAt } = original;
        // The form has days; one that was not changed keeps its time.
        return { ...typed, startsAt, endsAt, ...changedIn(AD_FIELDS, typed, original, sent.visit.blog?.timeZone) };
      },
      shows: (ad: SnapshotAd, { path }) => ({ to: path('ads', ad.id), ...saved(ad) }),
    },
    'ads.edit': {
      page: 'ads/:ad',
      async args(sent) {
        const before = await requireItem(store, 'ad', sent.blog, textOf(sent.form, 'ad'));
        return changedIn(AD_FIELDS, await withImage(sent), before, sent.visit.blog?.timeZone);
      },
      shows: ({ after }: { after: SnapshotAd }) => saved(after),
    },
  });
};

const NEW = { format: 'BANNER', priority: 0 };
const saved = ({ linkUrl }: SnapshotAd) => ({ done: linkUrl === null ? 'unlinked' : 'saved' });

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
      <State is={state}>
        {state}: {hint}
      </State>
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
      <AdForm to="ads.edit" fields={{ ad: ad.id, version }} values={ad} campaigns={campaigns} />
    </Page>
  );
}
