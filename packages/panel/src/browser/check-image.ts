/** Bytes above which readers on a phone wait for an image. */
const LARGE = 1_000_000;

/** Names for which ad blockers hide an image: banner sizes, and words such as `ads` in its path. */
const BLOCKED_NAME = /\b\d{3}x\d{2,3}\b|[/_.-](?:ads?|advert\w*|banners?|sponsor\w*)[/_.-]/i;

/**
 * Loads the image of an ad as readers will, and resolves to its problem, or to an empty string.
 *
 * @param size bytes of an image that will be stored, given as a data: URL
 */
export async function checkImage(typed: string, size?: number): Promise<string> {
  if (typed === '') return '';
  if (size !== undefined) return whyTooLarge(size);
  if (!URL.canParse(typed))
    return 'This URL is relative: each site that shows the ad looks for the image on its own host. Use an absolute URL.';
  const url = new URL(typed);
  if (url.protocol === 'data:')
    return 'Many sites do not display data: URLs, and this one is sent with every ad. Upload the image instead.';
  if (url.protocol === 'http:' && location.protocol === 'https:')
    return 'Browsers do not show an http image on an https page. Use an https URL.';
  const image = new Image();
  image.src = url.href;
  try {
    await image.decode();
  } catch {
    return 'The image cannot be displayed: there is no image at this URL, or its host does not let other sites show it.';
  }
  // Other hosts reveal the size only with Timing-Allow-Origin.
  const [timing] = performance.getEntriesByName(url.href) as PerformanceResourceTiming[];
  const bytes = timing?.encodedBodySize ?? 0;
  if (bytes > LARGE) return whyTooLarge(bytes);
  return BLOCKED_NAME.test(url.pathname) ? 'Ad blockers hide images with names like this. Rename the file.' : '';
}

function whyTooLarge(bytes: number): string {
  if (bytes <= LARGE) return '';
  return `The image is ${(bytes / 1_000_000).toFixed(1)} MB. Make it smaller than 1 MB, so that readers do not have to wait.`;
}
