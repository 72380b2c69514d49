import { type Ads, createAds } from '@broadsheet/ad-widget';
import type { AdField } from './ad-form.ts';
import { checkImage } from './check-image.ts';

/** An ad as typed into the form. */
type Draft = Readonly<Record<AdField, string>>;

const LONG = ' and on it goes, well past the end of any box it could be given';
let ads: Ads | undefined;

/** Renders the ad as a page would, with a transport that requests nothing and counts nothing. */
function draw(draft: Draft, long: boolean): void {
  ads?.destroy();
  document.querySelector('broadsheet-slot')?.remove();
  const textOf = (text: string): string | null => (text.trim() === '' ? null : long ? text + LONG.repeat(2) : text);
  const ad = {
    id: 'preview',
    title: textOf(draft.title),
    content: textOf(draft.content),
    linkText: draft.linkText.trim() || null,
    linkUrl: draft.linkUrl.trim() || null,
    imageUrl: draft.imageUrl.trim() || null,
    clickToken: crypto.randomUUID?.() ?? String(Math.random()),
  };
  const place = document.querySelector('[data-place]');
  const isEmpty = !ad.title && !ad.content && !ad.imageUrl;
  place?.classList.toggle('nothing', isEmpty);
  if (isEmpty) return;
  const slot = document.createElement('broadsheet-slot');
  slot.setAttribute('name', 'preview');
  slot.setAttribute('format', draft.format);
  slot.setAttribute('every', '0');
  place?.append(slot);
  ads = createAds({
    baseUrl: location.origin,
    apiKey: 'preview',
    transport: {
      deliverBatch: async (slots) => slots.map((request) => ({ ...request, ...ad, filled: true as const })),
      click: async () => {},
    },
  });
  // A popup waits for the reader's first interaction.
  if (draft.format === 'POPUP') setTimeout(() => dispatchEvent(new PointerEvent('pointerdown')), 50);
}

addEventListener('click', (event) => event.preventDefault(), { capture: true });
let checked = '';
addEventListener('message', async ({ origin, data }) => {
  if (origin !== location.origin) return;
  for (const image of data?.images ?? []) {
    const problem = await checkImage(image);
    if (problem) parent.postMessage({ image, problem }, location.origin);
  }
  if (!data?.ad) return;
  draw(data.ad, data.name === 'long');
  const url = (data.ad as Draft).imageUrl.trim();
  const { check } = data;
  const key = JSON.stringify([url, check]);
  // One frame checks the image for all.
  if (data.name !== 'wide' || !check || key === checked) return;
  checked = key;
  const problem = await checkImage(url, check.best);
  if (key === checked) parent.postMessage({ problem }, location.origin);
});
parent.postMessage('ready', location.origin);
