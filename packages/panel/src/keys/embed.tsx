import { FORMAT_DETAILS } from '@broadsheet/ad-widget/formats';
import { AD_FORMATS } from '@broadsheet/contract';
import type { Child } from 'hono/jsx';
import { type BlogVisit, mayManage, panelPath } from '../door/visit.ts';
import { Button } from '../layout/button.tsx';
import { Form } from '../layout/form.tsx';
import { Page } from '../layout/page.tsx';
import type { EmbedCode, EmbedSlot } from './embed-code.ts';

/** The placeholder in the tags until a key is created. */
export const NO_KEY = 'YOUR_KEY';

/** The slots in the query; by default a banner. */
export function readSlots(query: URLSearchParams): EmbedSlot[] {
  const asked = query.getAll('slot');
  const formats = AD_FORMATS.filter((format) => (asked.length > 0 ? asked.includes(format) : format === 'BANNER'));
  return formats.map((format) => ({ name: FORMAT_DETAILS[format].name, format }));
}

interface EmbedPageProps {
  visit: BlogVisit;
  code: EmbedCode;
  slots: readonly EmbedSlot[];
  pinned: boolean;
  newKey?: string | undefined;
}

export function EmbedPage(props: EmbedPageProps) {
  const { visit, code, slots, pinned } = props;
  return (
    <Page visit={visit} title="Embed" here="embed">
      <p class="lead">Show ads on any page in three steps: a key, two tags in the head, and a slot for each ad.</p>
      <section aria-labelledby="key">
        <h2 id="key">1. A key</h2>
        <KeyStep {...props} />
      </section>
      <section aria-labelledby="head">
        <h2 id="head">2. In the head of the page</h2>
        <Code name="the tags for the head" label="Tags for the head" rows={pinned ? 12 : 4} code={code.head}>
          {pinned
            ? 'The browser runs only these exact files. After each update of this server, copy the tags again.'
            : 'The page always runs the current files of this server, so the tags never change.'}
        </Code>
      </section>
      <section aria-labelledby="places">
        <h2 id="places">3. Where the ads appear</h2>
        <SlotChoice {...props} />
        <Code name="the slots" label="Slots" rows={Math.max(2, slots.length + 1)} code={code.slots.join('\n')}>
          Give each slot its own name: figures are counted by name. A page may have any number of slots. A slot without
          an ad takes up no space.
        </Code>
      </section>
      <section aria-labelledby="policy">
        <h2 id="policy">If your site has a Content-Security-Policy</h2>
        <Code name="the policy" label="Policy" rows={3} code={code.policy}>
          Add these sources to your policy. Without a policy, skip this step.
        </Code>
      </section>
      <section aria-labelledby="whole">
        <h2 id="whole">Try it on a complete page</h2>
        <p>Save this page as an .html file on your site and open it.</p>
        <Code name="the complete page" label="A complete page" rows={8} code={code.page} />
      </section>
    </Page>
  );
}

interface CodeProps {
  /** The name of the code on the copy button. */
  name: string;
  label: string;
  rows: number;
  code: string;
  children?: Child;
}

/** Code to be copied, and a hint below it. */
function Code({ name, label, rows, code, children }: CodeProps) {
  return (
    <>
      <textarea class="code" rows={rows} readonly aria-label={label} data-copy={name}>
        {code}
      </textarea>
      {children && <p class="hint">{children}</p>}
    </>
  );
}

/** A new key, which is shown only once, or the form to create one. */
function KeyStep({ visit, slots, pinned, newKey }: EmbedPageProps) {
  const { blog } = visit;
  if (newKey !== undefined) {
    return (
      <div role="status">
        <p>
          <strong>Your new key.</strong> It is not shown again. The tags below already contain it.
        </p>
        <code class="secret" data-copy="the key">
          {newKey}
        </code>
      </div>
    );
  }
  if (!mayManage(visit)) {
    return (
      <p>
        Ask a manager of {blog.name} for a key, and replace <code>{NO_KEY}</code> in the tags with it.
      </p>
    );
  }
  return (
    <>
      <p>
        If you have a key, replace <code>{NO_KEY}</code> in the tags with it. Otherwise create a key. It is shown only
        once, because only its hash is stored. Existing keys still work.
      </p>
      <Form visit={visit} to={panelPath(blog.id, 'embed')}>
        {slots.map(({ format }) => (
          <input type="hidden" name="slot" value={format} />
        ))}
        <input type="hidden" name="pin" value={pinned ? 'yes' : 'no'} />
        <Button kind="first" name="Create key for these tags" />
      </Form>
    </>
  );
}

/** Which slots and which files the tags are for. */
function SlotChoice({ visit, slots, pinned }: EmbedPageProps) {
  return (
    <form method="get" action={visit.url.pathname}>
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
            <input type="radio" name="pin" value="no" checked={!pinned} /> always the latest
          </label>
        </div>
      </fieldset>
      <Button name="Update tags" />
    </form>
  );
}
