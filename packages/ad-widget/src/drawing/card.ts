import type { AdFormat } from '@broadsheet/contract';
import type { FilledAd } from '../delivery/creative.ts';

/** What an ad shows. */
export type AdTexts = Pick<FilledAd, 'imageUrl' | 'linkUrl' | 'title' | 'content' | 'linkText'>;

const WEB = /^https?:\/\/[^\s/]/i;
/** Raster images only: an SVG is a document. */
const PIXELS = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i;

/**
 * The content of the card of an ad, for the widget and for servers.
 *
 * @param fallback The name of an ad without text: the host of its link, or its label. It also replaces an image that
 *   fails, so no card is empty.
 */
export function cardOf(format: AdFormat, ad: AdTexts, fallback: string) {
  const src = safeUrl(ad.imageUrl, true);
  const lines = [ad.title, ad.content, ad.linkText].map((line) => line?.trim());
  // Beside text the image is decorative; without text it is the whole ad, and has a name.
  const alt = lines.some(Boolean) ? '' : fallback;
  if (alt) lines[2] = alt;
  return { src, alt, lines, className: `ad ${format}${src ? alt && ' bare' : ' plain'}` };
}

/**
 * The URL if it may be put into a page, otherwise `undefined`.
 *
 * It must begin with a literal scheme, so that the browser cannot parse it differently (control characters, entities).
 * Relative URLs are refused: an ad does not lead into the publisher's site.
 */
export function safeUrl(url: string | null | undefined, image = false): string | undefined {
  const plain = url?.trim() ?? '';
  return WEB.test(plain) || (image && PIXELS.test(plain)) ? plain : undefined;
}
