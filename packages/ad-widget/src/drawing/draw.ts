import type { AdFormat } from '@broadsheet/contract';
import type { FilledAd } from '../delivery/creative.ts';
import { explain } from '../load-on-demand.ts';
import { setting } from '../slots/attributes.ts';

/** The label of an ad in each language. */
const LABELS: Record<string, string> = {
  en: 'Advertisement',
  de: 'Anzeige',
  fr: 'Publicité',
  es: 'Publicidad',
  pt: 'Publicidade',
  it: 'Pubblicità',
};

/** The two-letter language code that applies to an element; `en` when the page sets none. */
export function languageOf(host: Element): string {
  const found = host.closest<HTMLElement>('[lang]');
  const { host: outer } = host.getRootNode() as Partial<ShadowRoot>;
  if (!found && outer) return languageOf(outer);
  return found?.lang.slice(0, 2).toLowerCase() || 'en';
}

/** An element whose class is also the name of its `::part()`. */
export function part(tag: string, name: string, ...content: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  made.part.value = name;
  made.append(...content);
  return made;
}

/** Reports the boxes of loaded images after the layout of a frame. Measuring an image would cause another layout. */
let boxes: ResizeObserver | undefined;

/** Shows an image uncropped if it would lose more than a quarter to the crop, such as a logo or a portrait. */
function compareWithBox(entries: readonly ResizeObserverEntry[]): void {
  for (const { target, contentRect } of entries) {
    const { naturalWidth, naturalHeight } = target as HTMLImageElement;
    const ratio = ((naturalWidth / naturalHeight) * contentRect.height) / contentRect.width;
    if (Math.min(ratio, 1 / ratio) < 0.75) target.classList.add('whole');
    boxes?.unobserve(target);
  }
}

/** A card with every part. Copying it and removing parts takes a third of the time of building a card. */
let template: HTMLElement | undefined;

function emptyCard(): HTMLElement {
  if (!template) {
    const words = part('div', 'words', part('span', 'title'), part('span', 'content'));
    const text = part('div', 'text', words, part('span', 'action'), part('span', 'label'));
    const link = part('a', 'link', part('img', 'image'), text);
    template = part('div', 'ad', Object.assign(link, { target: '_blank', rel: 'sponsored noopener' }));
    template.role = 'group';
  }
  return template.cloneNode(true) as HTMLElement;
}

/**
 * Builds an ad from elements and text nodes. Nothing the advertiser wrote is ever parsed as markup, style or script.
 *
 * @param followed Called when the link is followed: by a click, Enter, or the middle button (`auxclick`, button 1). Other
 *   buttons follow no link.
 */
export function draw(host: Element, format: AdFormat, ad: FilledAd, followed: (event: Event) => void): HTMLElement {
  const language = languageOf(host);
  const label = setting(host, 'label') ?? LABELS[language] ?? 'Ad';
  const href = safeUrl(ad.linkUrl);
  const card = emptyCard();
  const link = card.firstChild as HTMLAnchorElement;
  const image = link.firstChild as HTMLImageElement;
  card.ariaLabel = label;
  if (href) {
    link.href = href;
    link.title = language === 'en' ? 'Opens in a new tab' : '↗';
    link.onclick = followed;
    link.onauxclick = (event) => event.button === 1 && followed(event);
  }
  const src = safeUrl(ad.imageUrl, true);
  const lines = [ad.title, ad.content, ad.linkText].map(textOf);
  const isBare = !lines.some(Boolean);
  // An ad without text is named by its host, beside its image or instead of one that fails.
  if (isBare) lines[2] = link.host;
  lines.push(label);
  card.querySelectorAll('span').forEach((element, index) => {
    if (lines[index]) element.textContent = lines[index];
    else element.remove();
  });
  if (src) {
    // The text names the ad: beside it, the image is decorative.
    image.alt = '';
    image.onload = () => {
      boxes ??= new ResizeObserver(compareWithBox);
      boxes.observe(image);
    };
    image.onerror = () => {
      // The text stays where it is, because the reader may be reading it.
      if (isBare) image.remove();
      else {
        const gap = part('i', 'image');
        gap.style.visibility = 'hidden';
        image.replaceWith(gap);
      }
      explain(src);
    };
    image.src = src;
  } else image.remove();
  card.className = `ad ${format}${src ? (isBare ? ' bare' : '') : ' plain'}`;
  return card;
}

const WEB = /^https?:\/\/[^\s/]/i;
/** Raster images only: an SVG, whose type is `image/svg+xml`, is a document. */
const PIXELS = /^data:image\/[a-z]+;base64,/i;

/** A text without spaces around it; `''` for anything else that an API may send. */
function textOf(field: unknown): string {
  return typeof field === 'string' ? field.trim() : '';
}

/**
 * The URL if it may be put into a page, otherwise `undefined`.
 *
 * It must begin with a literal scheme, so that the browser cannot parse it differently (control characters, entities).
 * Relative URLs are refused: an ad does not lead into the publisher's site.
 */
export function safeUrl(url: string | null | undefined, image = false): string | undefined {
  const plain = textOf(url);
  return WEB.test(plain) || (image && PIXELS.test(plain)) ? plain : undefined;
}
