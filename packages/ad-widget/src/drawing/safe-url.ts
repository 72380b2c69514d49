const WEB = /^https?:\/\/[^\s/]/i;
/** Pixels only: an SVG is a document and has no place here. */
const PIXELS = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i;

/**
 * The address if it may be put into a page, else `undefined`.
 *
 * It has to begin with the scheme in plain letters, so that no spelling (control characters, entities) can make this and
 * the browser disagree. Relative addresses are refused: an ad does not lead into the publisher's site.
 */
export function safeUrl(address: string | null | undefined, image = false): string | undefined {
  const plain = address?.trim() ?? '';
  return WEB.test(plain) || (image && PIXELS.test(plain)) ? plain : undefined;
}
