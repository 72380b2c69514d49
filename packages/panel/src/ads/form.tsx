/** @jsxImportSource hono/jsx */
import { FORMAT_DETAILS } from '@broadsheet/ad-widget/formats';
import { AD_FORMATS, type AdFormat, type SnapshotAd } from '@broadsheet/contract';
import { AD_FIELDS, type AdFieldName } from '@broadsheet/management';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { Field, Form, OtherProblems, type Problems } from '../layout/form.tsx';

/** What a form of an ad holds, as it was typed. */
export type AdFields = Readonly<Record<AdFieldName, string>>;

type AdFieldKind = (typeof AD_FIELDS)[number]['kind'];

/** The attributes of the input of each kind of field. */
const INPUTS: Readonly<Record<AdFieldKind, object>> = {
  format: {},
  text: { autocomplete: 'off' },
  paragraph: {},
  url: { inputmode: 'url', autocomplete: 'off', spellcheck: false },
  'first day': { type: 'date' },
  'last day': { type: 'date' },
  number: { type: 'number', step: '1' },
};

/** Rem below which a wide preview needs no more height than this. */
const LOW = 10;

/** Whether the slot of a format is low; a popup's slot has no height, but its card does. */
function isLow(format: AdFormat): boolean {
  const { height } = FORMAT_DETAILS[format].box;
  return height > 0 && height < LOW;
}

const EMPTY: Partial<SnapshotAd> = { format: 'BANNER', priority: 0 };

/** The fields of an ad; dates are whole days. */
export function fieldsOf(ad: Partial<SnapshotAd> = EMPTY): AdFields {
  const text = ({ name, kind }: (typeof AD_FIELDS)[number]) => {
    const value = String(ad[name] ?? '');
    return kind.endsWith('day') ? value.slice(0, 10) : value;
  };
  // One for each name.
  return Object.fromEntries(AD_FIELDS.map((field) => [field.name, text(field)])) as AdFields;
}

/** The form of an ad beside the ad itself, drawn by the widget as it is typed. */
export function AdForm({
  visit,
  to,
  fields,
  version,
  problems = [],
}: {
  visit: BlogVisit;
  to: string;
  fields: AdFields;
  /** Of the ad that is edited. */
  version?: string;
  problems?: Problems;
}) {
  const locked = !mayManage(visit);
  const inputs = (...kinds: AdFieldKind[]) =>
    AD_FIELDS.filter(({ kind }) => kinds.includes(kind)).map((field) => (
      <Field name={field.name} label={field.label} hint={'hint' in field ? field.hint : undefined} problems={problems}>
        {(input) =>
          field.kind === 'paragraph' ? (
            <textarea {...input} rows={3}>
              {fields[field.name]}
            </textarea>
          ) : (
            <input {...input} {...INPUTS[field.kind]} value={fields[field.name]} />
          )
        }
      </Field>
    ));
  return (
    <div class="workbench">
      <Form visit={visit} to={to} data={{ 'data-ad': '' }}>
        {version !== undefined && <input type="hidden" name="version" value={version} />}
        <OtherProblems problems={problems} fields={AD_FIELDS.map(({ name }) => name)} />
        <fieldset disabled={locked}>
          <fieldset>
            <legend>Format</legend>
            <div class="choices">
              {AD_FORMATS.map((format) => (
                <label title={FORMAT_DETAILS[format].place}>
                  <input
                    type="radio"
                    name="format"
                    value={format}
                    checked={fields.format === format}
                    data-low={isLow(format)}
                  />{' '}
                  {format}
                </label>
              ))}
            </div>
          </fieldset>
          {inputs('text', 'paragraph', 'url')}
          <div class="pair">{inputs('first day', 'last day')}</div>
          {inputs('number')}
          {!locked && (
            <div class="actions">
              <button class="button first" type="submit">
                Save
              </button>
              <a class="button" href={panelPath(visit.blog.id, 'ads')}>
                Cancel
              </a>
            </div>
          )}
        </fieldset>
      </Form>
      <Previews visit={visit} />
    </div>
  );
}

/** Three pages with the ad: a wide and a narrow one, and one with more text than there is room for. */
function Previews({ visit }: { visit: BlogVisit }) {
  const source = panelPath(visit.blog.id, 'ads', 'preview');
  return (
    <section class="previews" aria-label="How it looks">
      <noscript>
        <p class="hint">With scripts on, the ad is drawn here as it is typed.</p>
      </noscript>
      <Preview source={source} name="wide" caption="On a wide page" title="The ad on a wide page" />
      <div class="side-by-side">
        <Preview source={source} name="narrow" caption="On a phone" title="The ad on a phone" />
        <Preview
          source={source}
          name="long"
          caption="With more text than there is room for"
          title="The ad with long text"
        />
      </div>
      <p class="hint">Drawn by the widget itself. Nothing is delivered, and nothing is counted.</p>
    </section>
  );
}

/** The frame is as wide as the page it stands for; scripts make it smaller where there is less room. */
function Preview({
  source,
  name,
  caption,
  title,
}: {
  source: string;
  name: 'wide' | 'narrow' | 'long';
  caption: string;
  title: string;
}) {
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      <div class="fit" data-fit>
        <iframe
          class={name === 'wide' ? 'wide-frame' : 'narrow-frame'}
          src={source}
          data-preview={name}
          title={title}
        />
      </div>
    </figure>
  );
}

/** The page in a frame on which the widget draws the ad of a form: the same for every ad, which comes by message. */
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
          <p class="hint">The ad stands here as soon as it has a title, a text or a picture.</p>
        </main>
      </body>
    </html>
  );
}
