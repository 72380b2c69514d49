/** @jsxImportSource hono/jsx */
import { FORMAT_DETAILS } from '@broadsheet/ad-widget/formats';
import { AD_FORMATS } from '@broadsheet/contract';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { Form } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import type { EmbedCode, EmbedSlot } from './embed-code.ts';

/** Stands in the tags until there is a key to put there. */
export const NO_KEY = 'YOUR_KEY';

/** What the address says is to be embedded. */
export function readSlots(query: URLSearchParams): EmbedSlot[] {
  const asked = query.getAll('slot');
  const formats = AD_FORMATS.filter((format) => (asked.length > 0 ? asked.includes(format) : format === 'BANNER'));
  return formats.map((format) => ({ name: FORMAT_DETAILS[format].name, format }));
}

export function EmbedPage({
  visit,
  code,
  slots,
  pinned,
  newKey,
}: {
  visit: BlogVisit;
  code: EmbedCode;
  slots: readonly EmbedSlot[];
  pinned: boolean;
  newKey?: string | undefined;
}) {
  const { url, blog } = visit;
  return (
    <Page visit={visit} title="Embed" here="embed">
      <p class="lead">
        Three steps put ads on a page, whatever made it: a key, two tags in its head, and a place for each ad.
      </p>
      <section aria-labelledby="key">
        <h2 id="key">1. A key</h2>
        {newKey !== undefined ? (
          <NewKey apiKey={newKey} />
        ) : mayManage(visit) ? (
          <>
            <p>
              Keys are stored as hashes, so a key is shown once, when it is made. Have yours? Put it where the tags say{' '}
              <code>{NO_KEY}</code>. Else make one: the others stay good.
            </p>
            <Form visit={visit} to={panelPath(blog.id, 'embed')}>
              {slots.map(({ format }) => (
                <input type="hidden" name="slot" value={format} />
              ))}
              <input type="hidden" name="pin" value={pinned ? 'yes' : 'no'} />
              <button class="button first" type="submit">
                Make a key for these tags
              </button>
            </Form>
          </>
        ) : (
          <p>
            Ask somebody who manages {blog.name} for a key, and put it where the tags say <code>{NO_KEY}</code>.
          </p>
        )}
      </section>
      <section aria-labelledby="head">
        <h2 id="head">2. In the head of the page</h2>
        <textarea
          class="code"
          rows={pinned ? 12 : 4}
          readonly
          aria-label="Tags for the head"
          data-copy="the tags for the head"
        >
          {code.head}
        </textarea>
        <p class="hint">
          {pinned
            ? 'The hashes let no other file run than today’s. After an update of this server, copy the tags again.'
            : 'The page always runs what this server sends: nothing is to be copied again after an update.'}
        </p>
      </section>
      <section aria-labelledby="places">
        <h2 id="places">3. Where ads are to stand</h2>
        <form method="get" action={url.pathname}>
          <fieldset>
            <legend>Slots</legend>
            <div class="choices">
              {AD_FORMATS.map((format) => (
                <label>
                  <input
                    type="checkbox"
                    name="slot"
                    value={format}
                    checked={slots.some((slot) => slot.format === format)}
                  />{' '}
                  {format}
                </label>
              ))}
            </div>
          </fieldset>
          <fieldset>
            <legend>Files</legend>
            <div class="choices">
              <label>
                <input type="radio" name="pin" value="yes" checked={pinned} /> pinned by hash
              </label>
              <label>
                <input type="radio" name="pin" value="no" checked={!pinned} /> always the newest
              </label>
            </div>
          </fieldset>
          <button class="button" type="submit">
            Show these
          </button>
        </form>
        <textarea class="code" rows={Math.max(2, slots.length + 1)} readonly aria-label="Slots" data-copy="the slots">
          {code.slots.join('\n')}
        </textarea>
        <p class="hint">
          Give each its own name: figures by placement go by it. A page may have as many as you like; one without an ad
          folds away.
        </p>
      </section>
      <section aria-labelledby="policy">
        <h2 id="policy">If your site has a Content-Security-Policy</h2>
        <textarea class="code" rows={3} readonly aria-label="Policy" data-copy="the policy">
          {code.policy}
        </textarea>
        <p class="hint">Add these sources to what it has; without a policy there is nothing to do.</p>
      </section>
      <section aria-labelledby="whole">
        <h2 id="whole">Try it: a whole page</h2>
        <p>Save this as a file that ends in .html and open it from your site.</p>
        <textarea class="code" rows={8} readonly aria-label="A whole page" data-copy="the whole page">
          {code.page}
        </textarea>
      </section>
    </Page>
  );
}

/** A key, the only time it is shown. */
function NewKey({ apiKey }: { apiKey: string }) {
  return (
    <div role="status">
      <p>
        <strong>Your new key.</strong> It is shown this once; the tags below have it already.
      </p>
      <code class="secret" data-copy="the key">
        {apiKey}
      </code>
    </div>
  );
}
