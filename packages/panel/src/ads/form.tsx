/** @jsxImportSource hono/jsx */
import { FORMAT_DETAILS } from '@broadsheet/ad-widget/formats';
import { AD_FORMATS, type AdFormat, type SnapshotAd } from '@broadsheet/contract';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { Field, Form, OtherProblems, type Problems } from '../layout/form.tsx';

/** What a form of an ad holds, as it was typed. */
export type AdFields = Readonly<Record<(typeof FIELDS)[number], string>>;

export const FIELDS = [
  'format',
  'title',
  'content',
  'linkUrl',
  'linkText',
  'imageUrl',
  'priority',
  'startsAt',
  'endsAt',
] as const;

/** Rem below which a wide preview needs no more height than this. */
const LOW = 10;

/** Whether the slot of a format is low; a popup's slot has no height, but its card does. */
function isLow(format: AdFormat): boolean {
  const { height } = FORMAT_DETAILS[format].box;
  return height > 0 && height < LOW;
}

/** The fields of an ad; dates are whole days. */
export function fieldsOf(ad?: SnapshotAd): AdFields {
  return {
    format: ad?.format ?? 'BANNER',
    title: ad?.title ?? '',
    content: ad?.content ?? '',
    linkUrl: ad?.linkUrl ?? '',
    linkText: ad?.linkText ?? '',
    imageUrl: ad?.imageUrl ?? '',
    priority: String(ad?.priority ?? 0),
    startsAt: ad?.startsAt?.slice(0, 10) ?? '',
    endsAt: ad?.endsAt?.slice(0, 10) ?? '',
  };
}

/** The form of an ad beside the ad itself, drawn by the widget as it is typed. */
export function AdForm({
  visit,
  to,
  fields,
  problems = [],
}: {
  visit: BlogVisit;
  to: string;
  fields: AdFields;
  problems?: Problems;
}) {
  const locked = !mayManage(visit);
  return (
    <div class="workbench">
      <Form visit={visit} to={to} data={{ 'data-ad': '' }}>
        <OtherProblems problems={problems} fields={FIELDS} />
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
          <Field name="title" label="Title" problems={problems}>
            {(input) => <input {...input} value={fields.title} autocomplete="off" />}
          </Field>
          <Field name="content" label="Text" problems={problems}>
            {(input) => (
              <textarea {...input} rows={3}>
                {fields.content}
              </textarea>
            )}
          </Field>
          <Field name="linkUrl" label="Link" hint="Where a click leads: https://…" problems={problems}>
            {(input) => (
              <input {...input} value={fields.linkUrl} inputmode="url" autocomplete="off" spellcheck={false} />
            )}
          </Field>
          <Field name="linkText" label="Words of the link" hint="Such as: See the menu" problems={problems}>
            {(input) => <input {...input} value={fields.linkText} autocomplete="off" />}
          </Field>
          <Field name="imageUrl" label="Picture" hint="The address of an image: https://…" problems={problems}>
            {(input) => (
              <input {...input} value={fields.imageUrl} inputmode="url" autocomplete="off" spellcheck={false} />
            )}
          </Field>
          <div class="pair">
            <Field name="startsAt" label="First day" hint="From midnight UTC. Empty: from now on" problems={problems}>
              {(input) => <input {...input} type="date" value={fields.startsAt} />}
            </Field>
            <Field name="endsAt" label="Last day" hint="Until midnight UTC. Empty: without an end" problems={problems}>
              {(input) => <input {...input} type="date" value={fields.endsAt} />}
            </Field>
          </div>
          <Field
            name="priority"
            label="Priority"
            hint="The highest is shown first; equal ones take turns."
            problems={problems}
          >
            {(input) => <input {...input} type="number" step="1" value={fields.priority} />}
          </Field>
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
