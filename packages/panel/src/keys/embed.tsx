import { AD_FORMATS, type AdFormat } from '@broadsheet/contract';
import type { Child } from 'hono/jsx';
import { currentBlogVisit, currentUrl, currentVisit, mayManage } from '../access/visit.ts';
import { Button, Choices, Form } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';
import type { EmbedCode } from './embed-code.ts';

/** The placeholder in the tags until a key is created. */
export const NO_KEY = 'YOUR_KEY';

/** The formats of the slots in the query; by default a banner. */
export function readFormats(query: URLSearchParams): AdFormat[] {
  const asked = query.getAll('slot');
  return AD_FORMATS.filter((format) => (asked.length > 0 ? asked.includes(format) : format === 'BANNER'));
}

interface EmbedPageProps {
  code: EmbedCode;
  formats: readonly AdFormat[];
  pinned: boolean;
}

export function EmbedPage(props: EmbedPageProps) {
  const { code, formats, pinned } = props;
  return (
    <Page title="Embed" here="embed">
      <p class="lead">Show ads on any page in three steps: a key, two tags in the head, and a slot for each ad.</p>
      <Section id="key" title="1. A key">
        {currentVisit().sent ? <p>Your new key is above.</p> : <KeyStep {...props} />}
      </Section>
      <Section id="head" title="2. In the head of the page">
        <Code name="the tags for the head" label="Tags for the head" rows={pinned ? 12 : 4} code={code.head}>
          {pinned
            ? 'The browser runs only these exact files. After each update of this server, copy the tags again.'
            : 'The page always runs the current files of this server, so the tags never change.'}
        </Code>
      </Section>
      <Section id="places" title="3. Where the ads appear">
        <SlotChoice {...props} />
        <Code name="the slots" label="Slots" rows={Math.max(2, formats.length + 1)} code={code.slots.join('\n')}>
          Give each slot its own name: figures are counted by name. A page may have any number of slots. A slot without
          an ad takes up no space.
        </Code>
      </Section>
      <Section id="policy" title="If your site has a Content-Security-Policy">
        <Code name="the policy" label="Policy" rows={3} code={code.policy}>
          Add these sources to your policy. Without a policy, skip this step.
        </Code>
      </Section>
      <Section id="whole" title="Try it on a complete page">
        <p>Save this page as an .html file on your site and open it.</p>
        <Code name="the complete page" label="A complete page" rows={8} code={code.page} />
      </Section>
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

/** The form to create a key. */
function KeyStep({ formats, pinned }: EmbedPageProps) {
  if (!mayManage()) {
    return (
      <p>
        Ask a manager of <bdi>{currentBlogVisit().blog.name}</bdi> for a key, and replace <code>{NO_KEY}</code> in the
        tags with it.
      </p>
    );
  }
  return (
    <>
      <p>
        If you have a key, replace <code>{NO_KEY}</code> in the tags with it. Otherwise create a key. It is shown only
        once, because only its hash is stored. Existing keys still work.
      </p>
      <Form to="keys.create" fields={{ pin: pinned ? 'yes' : 'no' }}>
        {formats.map((format) => (
          <input type="hidden" name="slot" value={format} />
        ))}
        <Button kind="first" name="Create key for these tags" />
      </Form>
    </>
  );
}

/** Which slots and which files the tags are for. */
function SlotChoice({ formats, pinned }: EmbedPageProps) {
  const slots = AD_FORMATS.map((format) => [format, format] as const);
  const files = [
    ['yes', 'pinned by hash'],
    ['no', 'always the latest'],
  ] as const;
  return (
    <form method="get" action={currentUrl().pathname}>
      <Choices legend="Slots" type="checkbox" name="slot" options={slots} chosen={formats} />
      <Choices legend="Files" type="radio" name="pin" options={files} chosen={[pinned ? 'yes' : 'no']} />
      <Button name="Update tags" />
    </form>
  );
}
