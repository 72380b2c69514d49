import { createHash } from 'node:crypto';
import { FORMAT_DETAILS } from '@broadsheet/ad-widget/formats';
import { AD_FORMATS, type AdFormat, type SnapshotAd } from '@broadsheet/contract';
import { loadAsset, WIDGET_FILES, widgetVersion } from '@broadsheet/http';
import type { Child } from 'hono/jsx';
import { send } from '../access/send.tsx';
import { currentBlogVisit, currentUrl, currentVisit, mayManage, type Routes } from '../access/visit.ts';
import { Button, Choices, Field, Form } from '../layout/form.tsx';
import { Page, Section } from '../layout/page.tsx';

export const embedRoutes: Routes = (app, { store }) => {
  app.get('/panel/:blog/embed', async (c) => {
    const { origin, url, blog, sent } = c.get('blogVisit');
    const formats = AD_FORMATS.filter((format) => url.searchParams.getAll('slot').includes(format));
    const pinned = url.searchParams.get('pin') === 'yes';
    const apiKey = sent?.secrets[0]?.value ?? NO_KEY;
    const code =
      formats.length > 0
        ? await embedCode({ origin, apiKey, formats, ads: await store.listAllAds(blog.id), pinned })
        : undefined;
    return send(c, <EmbedPage code={code} formats={formats} pinned={pinned} />);
  });
};

/** The placeholder in the tags until a key is created. */
const NO_KEY = 'YOUR_KEY';

interface EmbedPageProps {
  /** The tags; absent until the slots are chosen. */
  code: EmbedCode | undefined;
  formats: readonly AdFormat[];
  pinned: boolean;
}

function EmbedPage({ code, formats, pinned }: EmbedPageProps) {
  return (
    <Page title="Embed" here="embed">
      <p class="lead">Show ads on any page: choose the slots, create a key, and copy the tags.</p>
      <Section id="slots" title="1. Where the ads appear">
        {code ? (
          <p>
            <span class="formats">{formats.join(', ')}</span>
            {pinned && ', pinned by hash'} · <a href={currentUrl().pathname}>Choose again</a>
          </p>
        ) : (
          <SlotChoice />
        )}
      </Section>
      {code && <Tags code={code} formats={formats} pinned={pinned} />}
    </Page>
  );
}

function Tags({ code, formats, pinned }: EmbedPageProps & { code: EmbedCode }) {
  return (
    <>
      <Section id="key" title="2. A key">
        <KeyStep formats={formats} pinned={pinned} />
      </Section>
      <Section id="head" title="3. In the head of the page">
        <Code name="the tags for the head" label="Tags for the head" code={code.head}>
          {pinned
            ? 'The browser runs only these exact files. After each update of this server, copy the tags again.'
            : 'The page always runs the current files of this server, so the tags never change.'}
        </Code>
      </Section>
      <Section id="places" title="4. At each place">
        <Code name="the slots" label="Slots" code={code.slots}>
          Give each slot its own name: figures are counted by name. A page may have any number of slots. A slot without
          an ad takes up no space.
        </Code>
      </Section>
      <Section id="policy" title="If your site has a Content-Security-Policy">
        <Code name="the policy" label="Policy" code={code.policy}>
          Add these sources to your policy. Without a policy, skip this step.
        </Code>
      </Section>
      <Section id="whole" title="Try it on a complete page">
        <p>Save this page as an .html file on your site and open it.</p>
        <Code name="the complete page" label="A complete page" code={code.page} />
      </Section>
    </>
  );
}

interface CodeProps {
  /** The name of the code on the copy button. */
  name: string;
  label: string;
  code: string;
  children?: Child;
}

function Code({ name, label, code, children }: CodeProps) {
  return (
    <>
      <textarea class="code" rows={code.split('\n').length + 1} readonly aria-label={label} data-copy={name}>
        {code}
      </textarea>
      {children && <p class="hint">{children}</p>}
    </>
  );
}

function KeyStep({ formats, pinned }: Omit<EmbedPageProps, 'code'>) {
  if (currentVisit().sent?.secrets.length) return <p>Your new key is above, and in the tags below.</p>;
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
        If you have a key, replace <code>{NO_KEY}</code> in the tags with it. Otherwise create one; existing keys still
        work. Everybody can read it in your pages, but here it is shown only now: only its hash is stored.
      </p>
      <Form to="keys.create" fields={pinned ? { pin: 'yes' } : {}} class="narrow">
        {formats.map((format) => (
          <input type="hidden" name="slot" value={format} />
        ))}
        <Field name="label" label="What is the key for?" value="The site" maxlength={100} />
        <Button kind="first" name="Create key for these tags" />
      </Form>
    </>
  );
}

/** Which slots and which files the tags are for. */
function SlotChoice() {
  const slots = AD_FORMATS.map((format) => [format, `${format}, ${FORMAT_DETAILS[format].place}`] as const);
  return (
    <form method="get" action={currentUrl().pathname}>
      <Choices legend="Slots" type="checkbox" name="slot" options={slots} chosen={['BANNER']} />
      <details>
        <summary>Files</summary>
        <Choices
          legend="By default, the page runs the current files of this server."
          type="checkbox"
          name="pin"
          options={[['yes', 'Pinned by hash: only exactly these files run; copy the tags again after each update']]}
          chosen={[]}
        />
      </details>
      <div class="actions">
        <Button kind="first" name="Show the tags" />
      </div>
    </form>
  );
}

type EmbedCode = Awaited<ReturnType<typeof embedCode>>;

/** Files the widget loads when a page needs them. */
const ON_DEMAND = WIDGET_FILES.filter((name) => name.startsWith('broadsheet-'));

interface EmbedOptions {
  readonly origin: string;
  readonly apiKey: string;
  readonly formats: readonly AdFormat[];
  readonly ads: readonly SnapshotAd[];
  readonly pinned: boolean;
}

/** Creates the tags for a page. With `pinned` they contain the hash of each file, so that no other version runs. */
async function embedCode({ origin, apiKey, formats, ads, pinned }: EmbedOptions) {
  const folder = pinned ? `${origin}/broadsheet/${await widgetVersion()}` : origin;
  const [css, js] = [await integrity('broadsheet.css', pinned), await integrity('broadsheet.js', pinned)];
  const hashes = await Promise.all(ON_DEMAND.map(async (name) => [`${folder}/${name}`, await sha384(name)] as const));
  const map = JSON.stringify({ integrity: Object.fromEntries(hashes) }, undefined, 1);
  const head = [
    ...(pinned ? [`<script type="importmap">${map}</script>`] : []),
    `<link rel="stylesheet" href="${folder}/broadsheet.css"${css}>`,
    `<script async src="${folder}/broadsheet.js"${js}\n  data-base-url="${origin}" data-api-key="${apiKey}"></script>`,
  ].join('\n');
  const slots = formats
    .map((format) => `<broadsheet-slot name="${FORMAT_DETAILS[format].name}" format="${format}"></broadsheet-slot>`)
    .join('\n');
  const mapHash = pinned ? ` 'sha256-${createHash('sha256').update(map).digest('base64')}'` : '';
  return {
    head,
    slots,
    /** A complete page, to try the tags. */
    page: `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>A page with ads</title>\n${head}\n</head>\n<body>\n<h1>A page with ads</h1>\n${slots}\n</body>\n</html>\n`,
    /** The sources that a Content-Security-Policy must allow. */
    policy: `script-src ${origin}${mapHash}; style-src ${origin}; connect-src ${origin}; img-src ${imageSources(ads, origin)}`,
  };
}

async function integrity(name: 'broadsheet.css' | 'broadsheet.js', pinned: boolean): Promise<string> {
  return pinned ? ` integrity="${await sha384(name)}" crossorigin` : '';
}

async function sha384(name: Parameters<typeof loadAsset>[0]): Promise<string> {
  const { body } = await loadAsset(name);
  return `sha384-${createHash('sha384').update(body).digest('base64')}`;
}

function imageSources(ads: readonly SnapshotAd[], origin: string): string {
  const sources = ads.flatMap(({ imageUrl }) => {
    if (imageUrl === null || !URL.canParse(imageUrl, origin)) return [];
    const url = new URL(imageUrl, origin);
    return [url.protocol === 'data:' ? 'data:' : url.origin];
  });
  return sources.length > 0 ? [...new Set(sources)].sort().join(' ') : "'none'";
}
