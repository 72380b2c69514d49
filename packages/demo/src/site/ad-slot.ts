import type { AdFormat } from '@broadsheet/sdk';
import { el } from './element.ts';

/** A place for an ad. The widget finds it by itself, whenever it comes into the page. */
export function adSlot(name: string, format: AdFormat): HTMLElement {
  const slot = document.createElement('broadsheet-slot');
  slot.setAttribute('name', name);
  slot.setAttribute('format', format);
  return el('div', { class: `place place-${format.toLowerCase()}` }, slot);
}
