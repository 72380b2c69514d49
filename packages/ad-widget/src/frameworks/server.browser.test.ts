import { expect, test } from 'vitest';
import { filled } from '../../test/browser-page.ts';
import { HOSTILE_ADDRESSES, HOSTILE_WORDS } from '../../test/hostile.ts';
import type { FilledAd } from '../delivery/creative.ts';
import { draw } from '../drawing/draw.ts';
import { FORMAT_DETAILS } from '../slots/formats.ts';
import { previewMarkup } from './server.ts';

const FORMATS = Object.keys(FORMAT_DETAILS) as (keyof typeof FORMAT_DETAILS)[];
const imageUrl = 'https://images.example/tea.png';
const bare = { title: null, content: null, linkText: null };
const ADS: readonly Partial<FilledAd>[] = [
  {},
  { imageUrl },
  { ...bare, imageUrl },
  { ...bare, imageUrl, linkUrl: null },
  { ...bare },
  { linkUrl: 'http://[', content: ' ' },
  // An HTML parser drops NUL, which no database stores.
  ...HOSTILE_WORDS.map((words) => words.replaceAll('\0', '')).map((words) => ({ title: words, content: words })),
  ...HOSTILE_ADDRESSES.map((address) => ({ linkUrl: address, imageUrl: address })),
];

test.each(FORMATS)('the markup of a %s preview is the card that the widget draws', (format) => {
  for (const fields of ADS) {
    const ad = { ...filled({ slotId: 'a', format }), ...fields } as FilledAd;
    const parsed = Document.parseHTMLUnsafe(previewMarkup(ad, format));
    const rendered = draw(document.createElement('div'), format, ad, () => {});
    const [host] = parsed.querySelectorAll('broadsheet-slot');
    expect(parsed.body.children).toHaveLength(1);
    expect(host?.shadowRoot?.querySelector('.ad')?.isEqualNode(rendered), JSON.stringify(fields)).toBe(true);
    expect([...(host?.shadowRoot?.children ?? [])].map(({ localName }) => localName)).toEqual(['style', 'div']);
  }
});
