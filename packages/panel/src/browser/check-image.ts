/** Bytes above which readers on a phone wait for an image. */
const LARGE = 1_000_000;

/** Names that make ad blockers hide an image: banner sizes, and words such as `ads` in its path. */
const BLOCKED_NAME = /\b\d{3}x\d{2,3}\b|[/_.-](?:ads?|advert\w*|banners?|sponsor\w*)[/_.-]/i;

/** The size of an image in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A file that was chosen: its bytes, and its size in pixels unless it is damaged. */
export interface ChosenImage {
  readonly bytes: number;
  readonly size?: Size | undefined;
}

/** Reads a file completely: an image that is cut off could still be displayed in part. */
export async function readChosen(file: File): Promise<ChosenImage> {
  const image = await createImageBitmap(file).catch(() => undefined);
  return { bytes: file.size, size: image && { width: image.width, height: image.height } };
}

/** The problem of a file that was chosen. @param best see {@link checkImage} */
export function checkChosen({ bytes, size }: ChosenImage, best: Size | undefined): string {
  if (bytes === 0) return 'The file is empty. Ask the sponsor for it again.';
  if (!size) return 'The file is damaged, or not an image. Ask the sponsor for it again.';
  return whyTooLarge(bytes) || whyUnfit(size, best);
}

/**
 * Loads the image of an ad as readers will, and resolves to its problem, or to an empty string.
 *
 * @param best the best size beside the text of the ad; without it, any shape fits
 */
export async function checkImage(typed: string, best?: Size): Promise<string> {
  if (typed === '') return '';
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
  if (BLOCKED_NAME.test(url.pathname)) return 'Ad blockers hide images with names like this. Rename the file.';
  return whyUnfit({ width: image.naturalWidth, height: image.naturalHeight }, best);
}

/** An image of fewer pixels is blurred in every format. */
const TINY = 100;
/**
 * The share of an image that may be cropped without a remark. The widget shows it whole if it would lose more than a
 * quarter.
 */
const CROP = { unnoticed: 0.05, most: 0.25 };

function whyUnfit({ width, height }: Size, best: Size | undefined): string {
  const ask = best ? ` Ask for ${best.width} × ${best.height} pixels.` : '';
  if (width < (best ? best.width / 2 : TINY))
    return `The image has only ${width} × ${height} pixels: it is blurred.${ask}`;
  if (!best) return '';
  const ratio = (width * best.height) / (height * best.width);
  const lost = 1 - Math.min(ratio, 1 / ratio);
  if (lost > CROP.most)
    return `The aspect ratio of the image does not fit its place, so it is shown whole and smaller.${ask}`;
  const sides = ratio > 1 ? 'left and right' : 'top and bottom';
  return lost > CROP.unnoticed ? `The image loses ${Math.round(lost * 100)} % at the ${sides}.${ask}` : '';
}

function whyTooLarge(bytes: number): string {
  if (bytes <= LARGE) return '';
  return `The image is ${(bytes / 1_000_000).toFixed(1)} MB. Make it smaller than 1 MB, so that readers do not have to wait.`;
}
