import { afterEach, expect, test } from 'vitest';
import { canBeSeen } from '../../src/slots/visibility.ts';
import { page, recorder, start } from '../browser-page.ts';

const GATE = '<div id="gate" style="position: fixed; inset: 0; z-index: 9; background: #fff">Are you 18?</div>';
const slot = (style: string) =>
  `<broadsheet-slot name="a" format="BANNER" style="display: block; ${style}"></broadsheet-slot>`;
const WITH = 'height: 120px';
const WITHOUT = 'height: 0';

afterEach(() => document.body.replaceChildren());

/** Puts the slot into a page in one of four ways, with or without something in front of it. */
const PLACES: Readonly<Record<string, (style: string, gate: string) => void>> = {
  document: (style, gate) => page(slot(style) + gate),
  'shadow root': (style, gate) => {
    page(`<div id="component"></div>${gate}`);
    rootOf('#component').innerHTML = slot(style);
  },
  'nested shadow root': (style, gate) => {
    page(`<div id="component"></div>${gate}`);
    rootOf('#component').innerHTML = '<div id="inner"></div>';
    rootOf('#inner', document.querySelector('#component')?.shadowRoot ?? document).innerHTML = slot(style);
  },
  'component whose shadow root has the gate': (style, gate) => {
    page(`<div id="component">${slot(style)}</div>`);
    rootOf('#component').innerHTML = `<main><slot></slot></main>${gate}`;
  },
  'shadow root with the gate': (style, gate) => {
    page('<div id="component"></div>');
    rootOf('#component').innerHTML = slot(style) + gate;
  },
};

const rootOf = (selector: string, within: ParentNode = document): ShadowRoot => {
  const host = within.querySelector(selector);
  if (!host) throw new Error(`no ${selector}`);
  return host.attachShadow({ mode: 'open' });
};

function find(name: string, root: ParentNode = document): HTMLElement | undefined {
  const found = root.querySelector<HTMLElement>(`[name="${name}"]`);
  if (found) return found;
  for (const element of root.querySelectorAll('*')) {
    const inner = element.shadowRoot && find(name, element.shadowRoot);
    if (inner) return inner;
  }
  return undefined;
}

const rows = Object.keys(PLACES).flatMap((place) => [WITH, WITHOUT].map((style) => [place, style] as const));

test.each(rows)('a slot in a %s, with %s, is visible, and not behind an age gate', (place, style) => {
  const see = (gate: string): boolean => {
    PLACES[place]?.(style, `<p>The page goes on.</p>${gate}`);
    const host = find('a');
    if (!host) throw new Error('no slot');
    return canBeSeen({ host, slotId: 'a', format: 'BANNER', key: '', state: 'waiting', wanted: true });
  };
  expect(see('')).toBe(true);
  expect(see(GATE)).toBe(false);
});

test.each([WITH, WITHOUT])(
  'no ad is requested behind an age gate for a slot with %s, and one is when it has gone',
  async (style) => {
    page(`<div id="component"></div>${GATE}`);
    rootOf('#component').innerHTML = slot(style);
    const { batches, transport } = recorder();
    const ads = start({ transport });
    ads.mount(document.querySelector('#component')?.shadowRoot as ShadowRoot);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(batches).toEqual([]);
    document.querySelector('#gate')?.remove();
    await expect.poll(() => ads.stats().rendered).toBe(1);
  },
);
