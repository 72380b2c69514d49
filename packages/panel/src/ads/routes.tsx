import type { SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import {
  AD_FIELDS,
  addAd,
  adName,
  adState,
  adVersion,
  editAd,
  mediaUrl,
  readImage,
  requireAd,
  setAdActive,
  withImages,
} from '@broadsheet/management';
import type { Hono } from 'hono';
import { managersOnly, type PanelContext, type PanelEnv, textOf } from '../access/guard.tsx';
import { AD_POLICY, goTo, send } from '../access/send.ts';
import { type BlogVisit, logChange, mayManage, named, panelPath } from '../access/visit.ts';
import { safeReturn } from '../layout/address.ts';
import { changedIn, readTyped } from '../layout/drafts.tsx';
import { LinkButton, type Problems } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { DeleteButton } from '../pages/bin.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { type AdFields, AdForm, fieldsOf, PreviewPage } from './form.tsx';
import { ActivityButton, AdsPage, EndingSoon, STATE_HINTS } from './list.tsx';

export function adRoutes(app: Hono<PanelEnv>, options: PanelOptions): void {
  const { store } = options;
  const readPage = async (c: PanelContext) => {
    const visit = c.get('blogVisit');
    const ad = await requireAd(store, visit.blog.id, c.req.param('ad') ?? '');
    return { visit, ad, version: await adVersion(ad), campaigns: await store.listCampaigns(visit.blog.id) };
  };
  app.get('/panel/:blog/ads', async (c) => {
    const visit = c.get('blogVisit');
    return send(<AdsPage visit={visit} ads={await store.listAllAds(visit.blog.id)} />);
  });

  activityRoutes(app, options, 'pause');
  activityRoutes(app, options, 'resume');
  app.get('/panel/:blog/ads/preview', () => send(<PreviewPage />, { policy: AD_POLICY }));

  app.get('/panel/:blog/ads/new', managersOnly, async (c) => {
    const visit = c.get('blogVisit');
    const original = c.req.query('copy');
    const ad = original === undefined ? undefined : await requireAd(store, visit.blog.id, original);
    const campaigns = await store.listCampaigns(visit.blog.id);
    const given = { ...fieldsOf(ad), ...(c.req.query('campaign') && { campaignId: c.req.query('campaign') ?? '' }) };
    return send(<NewAd visit={visit} fields={given} campaigns={campaigns} />);
  });
  app.post('/panel/:blog/ads/new', async (c) => {
    const visit = c.get('blogVisit');
    const campaigns = await store.listCampaigns(visit.blog.id);
    const again = (fields: AdFields) =>
      c.set('again', (problems) => <NewAd visit={visit} fields={fields} campaigns={campaigns} problems={problems} />);
    const { fields, images } = await readForm(c, again);
    const ad = await withImages(store, visit.blog.id, images, () => addAd(store, visit.blog.id, fields, visit.now));
    await logChange(store, visit, `created the ad ${named(ad)}`);
    return goTo(savedAt(visit, ad));
  });

  app.get('/panel/:blog/ads/:ad', async (c) => {
    const page = await readPage(c);
    return send(<OneAd {...page} fields={fieldsOf(page.ad)} />);
  });
  app.post('/panel/:blog/ads/:ad', async (c) => {
    const page = await readPage(c);
    const { visit, ad } = page;
    const edited = { blog: visit.blog.id, id: ad.id, version: textOf(c.get('form'), 'version') || undefined };
    const again = (fields: AdFields) =>
      c.set('again', (problems) => <OneAd {...page} fields={fields} problems={problems} />);
    const { fields, images } = await readForm(c, again);
    const { after } = await withImages(store, visit.blog.id, images, () =>
      editAd(store, edited, changedIn(fields, fieldsOf(ad)), visit.now),
    );
    await logChange(store, visit, `changed the ad ${named(after)}`);
    return goTo(savedAt(visit, after));
  });
}

/**
 * The fields of the form; an uploaded image becomes its URL, which the form keeps if another field has a problem.
 *
 * @param again shows the form again with these fields, if there is a problem
 * @throws OperationError when the file is not an image that can be stored
 */
async function readForm(c: PanelContext, again: (fields: AdFields) => void) {
  const form = c.get('form');
  const fields = readTyped(AD_FIELDS, form);
  again(fields);
  const [file] = [form['image'] ?? []].flat();
  if (!(file instanceof File) || file.size === 0) return { fields, images: [] };
  const image = await readImage(new Uint8Array(await file.arrayBuffer()), file.name);
  const withUrl = { ...fields, imageUrl: mediaUrl(c.get('visit').origin, image) };
  again(withUrl);
  return { fields: withUrl, images: [image] };
}

const savedAt = ({ blog }: BlogVisit, { id, linkUrl }: SnapshotAd): string =>
  `${panelPath(blog.id, 'ads', id)}?done=${linkUrl === null ? 'unlinked' : 'saved'}`;

/** Pauses or resumes one ad, or those selected in the list. */
function activityRoutes(app: Hono<PanelEnv>, { store }: PanelOptions, action: 'pause' | 'resume'): void {
  const change = async (c: PanelContext, ids: readonly string[], page: string) => {
    const visit = c.get('blogVisit');
    for (const id of ids) {
      const ad = await setAdActive(store, visit.blog.id, id, action === 'resume');
      await logChange(store, visit, `${action}d the ad ${named(ad)}`);
    }
    return goTo(safeReturn(c.get('form')['back'], page, ids.length > 0 ? `${action}d` : undefined));
  };
  app.post(`/panel/:blog/ads/${action}`, (c) => {
    const ids = [c.get('form')['ad'] ?? []].flat().map(String);
    return change(c, ids, panelPath(c.get('blogVisit').blog.id, 'ads'));
  });
  app.post(`/panel/:blog/ads/:ad/${action}`, (c) => {
    const id = c.req.param('ad');
    return change(c, [id], panelPath(c.get('blogVisit').blog.id, 'ads', id));
  });
}

function NewAd({ visit, ...rest }: Omit<OneAdProps, 'ad' | 'version'>) {
  return (
    <Page visit={visit} title="New ad" here="ads">
      <AdForm visit={visit} to={panelPath(visit.blog.id, 'ads', 'new')} {...rest} />
    </Page>
  );
}

interface OneAdProps {
  visit: BlogVisit;
  ad: SnapshotAd;
  version: string;
  fields: AdFields;
  campaigns: readonly SnapshotCampaign[];
  problems?: Problems;
}

function OneAd({ visit, ad, ...rest }: OneAdProps) {
  const state = adState(ad, visit.now);
  const path = (...parts: string[]) => panelPath(visit.blog.id, 'ads', ...parts);
  return (
    <Page
      visit={visit}
      title={adName(ad)}
      here="ads"
      lead={
        <div class="actions">
          <span class={`state ${state}`}>
            {state}: {STATE_HINTS[state]}
          </span>
          <LinkButton
            kind="small"
            to={`${panelPath(visit.blog.id)}?ad=${encodeURIComponent(ad.id)}`}
            name="Show figures"
          />
          {mayManage(visit) && (
            <>
              <ActivityButton visit={visit} ad={ad} />
              <LinkButton kind="small" to={`${path('new')}?copy=${encodeURIComponent(ad.id)}`} name="Duplicate" />
              <DeleteButton visit={visit} kind="ad" item={ad} />
            </>
          )}
        </div>
      }
    >
      <EndingSoon visit={visit} ads={[ad]} />
      <AdForm visit={visit} to={path(ad.id)} {...rest} />
    </Page>
  );
}
