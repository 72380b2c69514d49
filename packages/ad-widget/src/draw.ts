import type { FilledAd } from './creative.ts';
import { labelFor } from './label.ts';
import { part } from './part.ts';
import { safeUrl } from './safe-url.ts';
import { setting } from './setting.ts';
import type { Slot } from './slot.ts';

/**
 * Builds an ad out of elements and text nodes. Nothing the advertiser wrote is ever parsed as markup, style or script.
 *
 * @param onClick Called when the link is followed: any click, or the middle button (`auxclick`, button 1). Other
 *   buttons say nothing about the link being followed.
 */
export function draw(slot: Slot, ad: FilledAd, onClick: () => void): HTMLElement {
  const label = setting(slot.host, 'label') ?? labelFor(slot.host);
  const card = part('div', `ad ${slot.format}`);
  card.setAttribute('role', 'group');
  card.setAttribute('aria-label', label);
  card.append(body(ad, label, onClick, card), part('span', 'label', label));
  return card;
}

function body(ad: FilledAd, label: string, onClick: () => void, card: Element): HTMLElement {
  const href = safeUrl(ad.linkUrl);
  const link = part(href ? 'a' : 'div', 'link');
  if (href) {
    link.setAttribute('href', href);
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'sponsored noopener');
    link.addEventListener('click', onClick);
    link.addEventListener('auxclick', (event) => event.button === 1 && onClick());
  }
  const text = part('span', 'text');
  for (const [name, words] of Object.entries({ title: ad.title, content: ad.content, action: ad.linkText })) {
    if (words) text.append(part('span', name, words));
  }
  const src = safeUrl(ad.imageUrl, true);
  if (src) {
    const image = part('img', 'image');
    // Beside text that says it all the image is decoration.
    image.setAttribute('alt', text.firstChild ? '' : label);
    image.setAttribute('decoding', 'async');
    image.addEventListener('error', () => image.remove());
    image.setAttribute('src', src);
    link.append(image);
  }
  if (text.firstChild) link.append(text);
  else card.classList.add('bare');
  return link;
}
