/** @jsxImportSource hono/jsx */

import type { SnapshotAd } from '@broadsheet/contract';
import {
  AD_FIELDS,
  type AdDraft,
  addAd,
  adState,
  adVersion,
  deleteAd,
  editAd,
  type ServerStore,
  setAdActive,
} from '@broadsheet/management';
import type { Hono } from 'hono';
import { logChange, named, textOf } from '../door/change.ts';
import type { FormFields, PanelContext, PanelEnv } from '../door/guard.tsx';
import { AD_POLICY, goTo, send } from '../door/send.ts';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { safeReturn } from '../layout/address.ts';
import { Confirm } from '../layout/confirm.tsx';
import { Form, type Problems, problemsOf, statusOf } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import { Undo } from '../layout/undo.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { type AdFields, AdForm, fieldsOf, PreviewPage } from './form.tsx';
import { AdsPage, STATE_HINTS } from './list.tsx';

const findAd = async (store: ServerStore, c: PanelContext) =>
  (await store.listAllAds(c.get('blogVisit').blog.id)).find(({ id }) => id === c.req.param('ad'));

/** The ads of a blog: looked at, made, changed, paused and deleted. */
export function adRoutes(app: Hono<PanelEnv>, { store }: PanelOptions): void {
  app.get('/panel/:blog/ads', async (c) => {
    const visit = c.get('blogVisit');
    return send(<AdsPage visit={visit} ads={await store.listAllAds(visit.blog.id)} />);
  });

  app.get('/panel/:blog/ads/preview', () => send(<PreviewPage />, { policy: AD_POLICY }));

  app.get('/panel/:blog/ads/new', (c) => {
    const visit = c.get('blogVisit');
    if (!mayManage(visit)) return c.notFound();
    return send(<NewAd visit={visit} fields={fieldsOf()} />);
  });
  app.post('/panel/:blog/ads/new', async (c) => {
    const visit = c.get('blogVisit');
    const fields = readFields(c.get('form'));
    try {
      const ad = await addAd(store, visit.blog.id, fields, visit.now);
      await logChange(store, visit, `made the ad ${named(ad)}`);
      return goTo(`${panelPath(visit.blog.id, 'ads', ad.id)}?done=saved`);
    } catch (error) {
      return send(<NewAd visit={visit} fields={fields} problems={problemsOf(error)} />, { status: 400 });
    }
  });

  app.get('/panel/:blog/ads/:ad', async (c) => {
    const ad = await findAd(store, c);
    if (!ad) return c.notFound();
    return send(<OneAd visit={c.get('blogVisit')} ad={ad} version={await adVersion(ad)} fields={fieldsOf(ad)} />);
  });
  app.post('/panel/:blog/ads/:ad', async (c) => {
    const visit = c.get('blogVisit');
    const ad = await findAd(store, c);
    if (!ad) return c.notFound();
    const fields = readFields(c.get('form'));
    const edited = { blog: visit.blog.id, id: ad.id, version: textOf(c.get('form'), 'version') || undefined };
    try {
      const { after } = await editAd(store, edited, changed(fields, fieldsOf(ad)), visit.now);
      await logChange(store, visit, `changed the ad ${named(after)}`);
      return goTo(`${panelPath(visit.blog.id, 'ads', ad.id)}?done=saved`);
    } catch (error) {
      const page = { visit, ad, version: await adVersion(ad), fields, problems: problemsOf(error) };
      return send(<OneAd {...page} />, { status: statusOf(error) });
    }
  });

  pauseRoutes(app, store);
  deletionRoutes(app, store);
}

function pauseRoutes(app: Hono<PanelEnv>, store: ServerStore): void {
  for (const [word, active, done] of [
    ['pause', false, 'paused'],
    ['resume', true, 'resumed'],
  ] as const) {
    app.post(`/panel/:blog/ads/:ad/${word}`, async (c) => {
      const visit = c.get('blogVisit');
      const ad = await setAdActive(store, visit.blog.id, c.req.param('ad'), active);
      await logChange(store, visit, `${done} the ad ${named(ad)}`);
      return goTo(safeReturn(c.get('form')['back'], panelPath(visit.blog.id, 'ads', ad.id), done));
    });
  }
}

function deletionRoutes(app: Hono<PanelEnv>, store: ServerStore): void {
  app.get('/panel/:blog/ads/:ad/delete', async (c) => {
    const visit = c.get('blogVisit');
    const ad = await findAd(store, c);
    if (!ad || !mayManage(visit)) return c.notFound();
    return send(
      <Confirm
        visit={visit}
        here="ads"
        title="Delete this ad?"
        to={visit.url.pathname}
        action={`Delete ${named(ad)}`}
        back={panelPath(visit.blog.id, 'ads', ad.id)}
      >
        <p>
          The ad {named(ad)} is delivered no more, from now on. What it earned stays in the figures, and it can be
          restored from the recycle bin for 30 days.
        </p>
      </Confirm>,
    );
  });
  app.post('/panel/:blog/ads/:ad/delete', async (c) => {
    const visit = c.get('blogVisit');
    const ad = await findAd(store, c);
    if (!ad) return c.notFound();
    await deleteAd(store, visit.blog.id, ad.id, visit.now);
    await logChange(store, visit, `deleted the ad ${named(ad)}`);
    const back = panelPath(visit.blog.id, 'ads');
    const deleted = { kind: 'ad', id: ad.id, deletedAt: visit.now } as const;
    return send(<Undo visit={visit} here="ads" what={`The ad ${named(ad)}`} deleted={deleted} back={back} />);
  });
}

/** What was left alone is left out: a day keeps the time it had, and an ad that is over can still be put right. */
function changed(fields: AdFields, before: AdFields): AdDraft {
  const names = AD_FIELDS.map(({ name }) => name).filter((name) => fields[name] !== before[name]);
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function readFields(form: FormFields): AdFields {
  return Object.fromEntries(AD_FIELDS.map(({ name }) => [name, textOf(form, name)])) as AdFields;
}

function NewAd({ visit, ...rest }: { visit: BlogVisit; fields: AdFields; problems?: Problems }) {
  return (
    <Page visit={visit} title="New ad" here="ads">
      <AdForm visit={visit} to={panelPath(visit.blog.id, 'ads', 'new')} {...rest} />
    </Page>
  );
}

function OneAd({
  visit,
  ad,
  ...rest
}: {
  visit: BlogVisit;
  ad: SnapshotAd;
  version: string;
  fields: AdFields;
  problems?: Problems;
}) {
  const state = adState(ad, visit.now);
  const path = (...parts: string[]) => panelPath(visit.blog.id, 'ads', ad.id, ...parts);
  return (
    <Page
      visit={visit}
      title={ad.title ?? 'Ad'}
      here="ads"
      lead={
        <div class="actions">
          <span class={`state ${state}`}>
            {state}: {STATE_HINTS[state]}
          </span>
          <a class="button small" href={`${panelPath(visit.blog.id)}?ad=${encodeURIComponent(ad.id)}`}>
            Figures
          </a>
          {mayManage(visit) && (
            <>
              <Form visit={visit} to={path(ad.active ? 'pause' : 'resume')}>
                <button class="button small" type="submit">
                  {ad.active ? 'Pause' : 'Resume'}
                </button>
              </Form>
              <a class="button small danger" href={path('delete')}>
                Delete
              </a>
            </>
          )}
        </div>
      }
    >
      <AdForm visit={visit} to={path()} {...rest} />
    </Page>
  );
}
