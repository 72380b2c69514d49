/**
 * The address if it may be put into a page, else `undefined`.
 *
 * The URL parser decides, not a pattern: it is what the browser will follow, so no spelling (control characters, case,
 * entities) can make the two disagree. Relative addresses are refused: an ad does not lead into the publisher's site.
 */
export function safeUrl(address: string | null | undefined, image = false): string | undefined {
  try {
    const url = new URL(address ?? '');
    if (/^https?:$/.test(url.protocol)) return url.href;
    // Pixels only: an SVG is a document and has no place here.
    if (image && /^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(url.href)) return url.href;
  } catch {
    // Not an address at all.
  }
  return undefined;
}
