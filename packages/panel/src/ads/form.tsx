import { FORMAT_DETAILS } from '@broadsheet/ad-widget/formats';
import { AD_FORMATS, type AdFormat, type SnapshotCampaign } from '@broadsheet/contract';
import { IMAGE_LIMITS, IMAGE_TYPES } from '@broadsheet/core';
import { AD_FIELDS, type AdFieldName } from '@broadsheet/management';
import { blogPath, mayManage } from '../access/visit.ts';
import { DraftInputs, labelsOf } from '../layout/drafts.tsx';
import { Field, Form, type HiddenFields, useTyped } from '../layout/form.tsx';

/** The height, in rem, below which a slot counts as low. */
const LOW = 10;

/** Whether the slot of a format is low. The slot of a popup has no height, but its card does. */
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

export const AD_LABELS = { ...labelsOf(AD_FIELDS), image: 'Image file' };

/** The form of an ad, beside previews that the widget draws while the person types. */
export function AdForm({ to, fields, values, campaigns }: AdFormProps) {
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

/** The formats, each with a small picture of a page, which the style sheet draws, and the size of its slot. */
function Formats({ stored }: { stored: string }) {
  const [current] = useTyped('format', [stored]);
  return (
    <fieldset>
      <legend>Format</legend>
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
export function PreviewPage() {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
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
