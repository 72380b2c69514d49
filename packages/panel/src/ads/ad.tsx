import { FORMAT_DETAILS } from '@broadsheet/ad-widget/formats';
import { AD_FORMATS, type AdFormat, type SnapshotAd, type SnapshotCampaign } from '@broadsheet/contract';
import { IMAGE_LIMITS, IMAGE_TYPES } from '@broadsheet/core';
import {
  AD_FIELDS,
  type AdFieldName,
  campaignStates,
  fileName,
  mediaUrl,
  readImage,
  requireItem,
} from '@broadsheet/management';
import { adName, toBase64 } from '@broadsheet/store';
import { commandForms, type Submission } from '../access/command-forms.ts';
import { managersOnly } from '../access/guard.tsx';
import { AD_POLICY, send } from '../access/send.tsx';
import { filesOf, textOf } from '../access/sent.ts';
import { blogPath, mayManage, partOf, type Routes } from '../access/visit.ts';
import { changedIn, DraftInputs, labelsOf } from '../layout/drafts.tsx';
import { Button, Field, Form, type HiddenFields, Seen, useTyped } from '../layout/form.tsx';
import { BaseMeta } from '../layout/head.tsx';
import { Page } from '../layout/page.tsx';
import { State } from '../layout/table.tsx';
import { DeleteButton } from '../pages/bin.tsx';
import { ActivityButton, EndingSoon, type States, stateOf } from './list.tsx';

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
    return send(c, <OneAd {...{ ad, states, campaigns }} />);
  });

  commandForms(app, options, 'ads.add', {
    'ads.add': {
      async args(sent) {
        const typed = await withImage(sent);
        const copy = textOf(sent.form, 'copy');
        if (copy === '') return typed;
        const original = await requireItem(store, 'ad', sent.blog, copy);
        const { startsAt, endsAt } = original;
        // The form has only days: a day that was not changed keeps its time.
        return { ...typed, startsAt, endsAt, ...changedIn(AD_FIELDS, typed, original, sent.visit.blog?.timeZone) };
      },
      shows: (ad: SnapshotAd, { path }) => ({ to: path('ads', ad.id), ...saved(ad) }),
    },
  });
  commandForms(app, options, 'ads/:ad', {
    'ads.edit': {
      args: withImage,
      shows: ({ after }: { after: SnapshotAd }) => saved(after),
    },
  });
};

const NEW = { format: 'BANNER', priority: 0 };
const saved = ({ linkUrl }: SnapshotAd) => ({ done: linkUrl === null ? 'unlinked' : 'saved' });

/** The typed fields, with the image file of the form. @throws OperationError when the file cannot be stored */
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
  campaigns: readonly SnapshotCampaign[];
  states: States;
}

function OneAd({ ad, campaigns, states }: OneAdProps) {
  const { state, hint } = stateOf(ad, states);
  const id = encodeURIComponent(ad.id);
  const lead = (
    <div class="actions">
      <State is={state}>
        {state}: {hint}
      </State>
      <Button kind="small" to={`${blogPath()}?ad=${id}`} name="Show figures" />
      {mayManage() && (
        <>
          <ActivityButton ad={ad} />
          <Button kind="small" to={`${blogPath('ads.add')}?copy=${id}`} name="Duplicate" />
          <DeleteButton kind="ad" item={ad} />
        </>
      )}
    </div>
  );
  return (
    <Page title={adName(ad)} here="ads" labels={AD_LABELS} lead={lead}>
      <EndingSoon ads={[ad]} states={states} />
      <AdForm to="ads.edit" fields={{ ad: ad.id }} values={ad} campaigns={campaigns} />
    </Page>
  );
}

/** The height, in rem, below which a slot counts as low. */
const LOW = 10;

/** Whether the slot of a format is low. The slot of a popup has no height, but its card has one. */
function isLow(format: AdFormat): boolean {
  const { height } = FORMAT_DETAILS[format].box;
  return height > 0 && height < LOW;
}

interface AdFormProps {
  to: 'ads.add' | 'ads.edit';
  fields: HiddenFields;
  values: { readonly format: string };
  campaigns: readonly SnapshotCampaign[];
}

const AD_LABELS = { ...labelsOf(AD_FIELDS), image: 'Image file' };

/** The form of an ad, beside previews that the widget draws while the person types. */
function AdForm({ to, fields, values, campaigns }: AdFormProps) {
  const names = campaigns.map(({ id, sponsor, name }) => [id, `${sponsor}: ${name}`] as const);
  const inputs = (...inputs: AdFieldName[]) => (
    <DraftInputs fields={AD_FIELDS} names={inputs} values={values} options={[['', 'none'], ...names]} />
  );
  const form = { submit: 'Save', submitKind: 'first', cancel: blogPath('ads'), 'data-ad': '' } as const;
  return (
    <div class="workbench">
      <Form to={to} fields={fields} enctype="multipart/form-data" {...form}>
        <Formats stored={values.format} />
        {inputs('name', 'title', 'content', 'linkUrl', 'linkText', 'imageUrl')}
        {mayManage() && <ImageFile />}
        <div class="pair">{inputs('startsAt', 'endsAt')}</div>
        {inputs('priority', 'campaignId')}
      </Form>
      <Previews />
    </div>
  );
}

function ImageFile() {
  const { bytes, pixels } = IMAGE_LIMITS;
  const limits = `at most ${bytes / 1024 / 1024} MiB and ${pixels / 1e6} megapixels`;
  const size =
    'Ask the sponsor for the size in pixels that is shown below the format; without title and text, any shape fits.';
  const hint = `${size} PNG, JPEG, GIF, WebP or AVIF, ${limits}. This server stores it and fills in the URL above.`;
  const accept = Object.values(IMAGE_TYPES).join();
  return <Field name="image" label={AD_LABELS.image} type="file" {...{ accept, hint }} />;
}

/** The formats, each with a small picture of a page, drawn by the style sheet, and the size of its slot. */
function Formats({ stored }: { stored: string }) {
  const [current] = useTyped('format', [stored]);
  return (
    <fieldset>
      <legend>Format</legend>
      <Seen name="format" value={stored} />
      <div class="choices">
        {AD_FORMATS.map((format) => (
          <div class="format">
            <label title={FORMAT_DETAILS[format].place}>
              <span class={`picture ${FORMAT_DETAILS[format].name}`} aria-hidden="true" />
              <input
                type="radio"
                name="format"
                value={format}
                checked={current === format}
                data-low={isLow(format) ? '' : undefined}
                data-image={Object.values(FORMAT_DETAILS[format].image).join(' ')}
                aria-describedby={`size-${format}`}
              />{' '}
              {format}
            </label>
            <small id={`size-${format}`}>
              {sizeOf(format)}
              <br />
              image: {Object.values(FORMAT_DETAILS[format].image).join(' × ')}
            </small>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

const PIXELS_PER_REM = 16;

function sizeOf(format: AdFormat): string {
  const { width, height } = FORMAT_DETAILS[format].box;
  if (height === 0) return 'over the page';
  return `${width ? width * PIXELS_PER_REM : 'full width'} × ${height * PIXELS_PER_REM}`;
}

/** Three previews of the ad: a wide page, a narrow page, and one with more text than fits. */
function Previews() {
  const source = blogPath('ads', 'preview');
  return (
    <section class="previews" aria-label="Preview">
      <noscript>
        <p class="hint">Enable JavaScript to see a preview of the ad as you type.</p>
      </noscript>
      <Preview source={source} name="wide" caption="On a desktop" />
      <div class="side-by-side">
        <Preview source={source} name="narrow" caption="On a phone" />
        <Preview source={source} name="long" caption="With too much text" />
      </div>
      <p class="hint">Drawn by the widget. Previews are not counted.</p>
    </section>
  );
}

/** A frame as wide as the page it shows; a script scales it down if there is less room. */
function Preview({ source, name, caption }: { source: string; name: 'wide' | 'narrow' | 'long'; caption: string }) {
  const width = name === 'wide' ? 'wide-frame' : 'narrow-frame';
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      <div class="fit" data-fit>
        <iframe class={width} src={source} data-preview={name} title={`Preview: ${caption.toLowerCase()}`} />
      </div>
    </figure>
  );
}

/** The page in a preview frame. It is the same for every ad: the ad arrives in a message, and the widget draws it. */
function PreviewPage() {
  return (
    <html lang="en">
      <head>
        <BaseMeta />
        <title>Preview</title>
        <link rel="stylesheet" href="/broadsheet.css" />
        <link rel="stylesheet" href="/panel/assets/panel.css" />
        <script defer src="/panel/assets/panel-preview.js" />
      </head>
      <body class="preview-page">
        <main data-place class="nothing">
          <p class="hint">The ad appears here once it has a title, a text or an image.</p>
        </main>
      </body>
    </html>
  );
}
