import type { AdFormat } from '@broadsheet/contract';
import type { FilledAd } from '../delivery/creative.ts';

/** What an ad shows. */
export type AdTexts = Pick<FilledAd, 'imageUrl' | 'linkUrl' | 'title' | 'content' | 'linkText'>;

const WEB = /^https?:\/\/[^\s/]/i;
/** Raster images only: an SVG, whose type is `image/svg+xml`, is a document. */
const PIXELS = /^data:image\/[a-z]+;base64,/i;

/**
 * The content of the card of an ad, for the widget and for servers.
 *
 * @param link Where it leads. An ad without text is named by its host, beside its image or instead of one that fails.
 */
export function cardOf(format: AdFormat, ad: AdTexts, link: { readonly host: string }) {
  const src = safeUrl(ad.imageUrl, true);
  const lines = [ad.title, ad.content, ad.linkText].map(textOf);
  const isBare = !lines.some(Boolean);
  if (isBare) lines[2] = link.host;
  return { src, lines, className: `ad ${format}${src ? (isBare ? ' bare' : '') : ' plain'}` };
}

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
