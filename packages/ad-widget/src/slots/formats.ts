import type { AdFormat } from '@broadsheet/contract';

/**
 * Where the card of a format opens: in its slot, or over the page once the reader has settled. With {@link FORMAT_DETAILS},
 * which the script tag does not load, this is all the widget knows about formats.
 */
export const OPENINGS: Readonly<Record<AdFormat, 'slot' | 'page'>> = {
  BANNER: 'slot',
  SIDEBAR: 'slot',
  POPUP: 'page',
  INLINE: 'slot',
  NATIVE: 'slot',
};

/** The details of a format, for the rehearsal, the panel and the tests of the style sheet and the guides. */
export interface FormatDetails {
  /** Where the ad appears, to follow the words "An ad". */
  readonly place: string;
  /** The name of its slot in code samples. */
  readonly name: string;
  /** The box that `broadsheet.css` reserves, in lines of the page's text (1em, at least 15px); the width is the maximum. */
  readonly box: { readonly height: number; readonly width?: number };
  /** The pixels of an image that is sharp on every screen and not cropped beside text: twice its displayed size. */
  readonly image: { readonly width: number; readonly height: number };
}

const BESIDE_TEXT = { width: 600, height: 400 };
const ABOVE_TEXT = { width: 640, height: 360 };
const IN_LIST = { width: 900, height: 600 };

export const FORMAT_DETAILS: Readonly<Record<AdFormat, FormatDetails>> = {
  BANNER: { place: 'across the column', name: 'top', box: { height: 8 }, image: BESIDE_TEXT },
  SIDEBAR: { place: 'beside the text', name: 'side', box: { height: 20, width: 20 }, image: ABOVE_TEXT },
  POPUP: { place: 'in the corner of the window', name: 'corner', box: { height: 0, width: 0 }, image: BESIDE_TEXT },
  INLINE: { place: 'between two paragraphs', name: 'text', box: { height: 8 }, image: BESIDE_TEXT },
  NATIVE: { place: 'among the articles', name: 'list', box: { height: 20 }, image: IN_LIST },
};
