import type { FilledAd } from './creative.ts';
import { labelFor } from './label.ts';
import { part } from './part.ts';
import { safeUrl } from './safe-url.ts';
import { setting } from './setting.ts';
import type { Slot } from './slot.ts';

/** What the page is told of a drawn ad. */
export interface DrawReports {
  /**
   * The link is followed: any click, Enter, or the middle button (`auxclick`, button 1). Other buttons say nothing
   * about the link being followed.
   */
  followed(): void;
  /** The image could not be loaded. */
  broken(imageUrl: string): void;
}

/** Builds an ad out of elements and text nodes. Nothing the advertiser wrote is ever parsed as markup, style or script. */
export function draw(slot: Slot, ad: FilledAd, { followed, broken }: DrawReports): HTMLElement {
  const label = setting(slot.host, 'label') ?? labelFor(slot.host);
  const card = part('div', `ad ${slot.format}`, '', { role: 'group', 'aria-label': label });
  const href = safeUrl(ad.linkUrl);
  const link = href
    ? part('a', 'link', '', { href, target: '_blank', rel: 'sponsored noopener' })
    : part('div', 'link');
  if (href) {
    link.addEventListener('click', followed);
    link.addEventListener('auxclick', (event) => event.button === 1 && followed());
  }
  const text = part('span', 'text');
  const say = (name: string, words: string | null | undefined): void => {
    if (words) text.append(part('span', name, words));
  };
  say('title', ad.title);
  say('content', ad.content);
  say('action', ad.linkText);
  const worded = text.firstChild;
  // Of an image alone that cannot be shown, where it leads is left: never an empty card.
  const standAlone = (): void => {
    if (worded) return;
    say('action', href ? new URL(href).host : label);
    card.classList.remove('bare');
    link.append(text);
  };
  const src = safeUrl(ad.imageUrl, true);
  if (src) {
    // Beside text that says it all the image is decoration.
    const image = part('img', 'image', '', { alt: worded ? '' : label, decoding: 'async' });
    image.addEventListener('error', () => {
      image.remove();
      standAlone();
      broken(src);
    });
    image.setAttribute('src', src);
    link.append(image);
    if (!worded) card.classList.add('bare');
  } else standAlone();
  if (worded) link.append(text);
  card.append(link, part('span', 'label', label));
  return card;
}
