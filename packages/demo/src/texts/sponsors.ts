import type { AdFormat } from '@broadsheet/contract';
import type { MotifName } from '../art/motif.ts';

/** An advertisement of the sample magazine. */
export interface Sponsor {
  /** The last twelve digits of the ad's id. */
  readonly number: number;
  readonly slug: string;
  readonly format: AdFormat;
  readonly title: string;
  readonly content: string;
  readonly linkText: string;
  readonly motif: MotifName;
  readonly priority?: number;
  readonly active?: boolean;
  /** Days from now at which it may first run. */
  readonly startsInDays?: number;
}

/** Who advertises in the sample magazine; none of them exists. */
export const SPONSORS: readonly Sponsor[] = [
  {
    number: 1,
    slug: 'pell-and-sons',
    format: 'BANNER',
    motif: 'letters',
    title: 'Pell & Sons, Typefounders',
    content: 'Every letter since 1788. The ampersand to follow.',
    linkText: 'Ask for the specimen',
  },
  {
    number: 2,
    slug: 'tidewater-ink',
    format: 'BANNER',
    motif: 'halftone',
    title: 'Tidewater Ink',
    content: 'Black, with one spoon of blue in it.',
    linkText: 'Open a tin',
  },
  {
    number: 3,
    slug: 'the-eleven-minute-ferry',
    format: 'BANNER',
    motif: 'bridge',
    title: 'The Eleven-Minute Ferry',
    content: 'A horizon before nine o’clock, for one coin.',
    linkText: 'See the timetable',
  },
  {
    number: 4,
    slug: 'oduya-wheels',
    format: 'SIDEBAR',
    motif: 'wheel',
    title: 'Oduya Wheels',
    content: 'Thirty-six spokes, one note. Built by ear, checked by gauge; the gauge agrees.',
    linkText: 'Hear one',
  },
  {
    number: 5,
    slug: 'alder-lane-lamps',
    format: 'SIDEBAR',
    motif: 'skyline',
    title: 'Alder Lane Lamps',
    content: 'Gas, oil and candle. We sell the evening; the light is free.',
    linkText: 'Visit after dusk',
  },
  {
    number: 6,
    slug: 'coldharbour-press',
    format: 'SIDEBAR',
    motif: 'tiles',
    title: 'Coldharbour Press',
    content: 'Small books for long pockets. Twelve a year, sewn, never glued.',
    linkText: 'Take the first one',
  },
  {
    number: 7,
    slug: 'the-wind-map',
    format: 'INLINE',
    motif: 'contours',
    title: 'The Wind Map, third printing',
    content: 'Wrong the moment it is finished, and honest about it. One sheet, two inks, forty thousand arrows.',
    linkText: 'Order the sheet',
  },
  {
    number: 8,
    slug: 'brandt-bookbinding',
    format: 'INLINE',
    motif: 'weave',
    title: 'Brandt Bookbinding',
    content:
      'We put old books back together and leave the door unlocked. Estimates are free and take a day, under a cloth.',
    linkText: 'Bring us one',
  },
  {
    number: 9,
    slug: 'fisk-rainwear',
    format: 'INLINE',
    motif: 'rain',
    title: 'Fisk Rainwear',
    content: 'A coat for each of the nine rains. For slow-wet we suggest two.',
    linkText: 'Name your rain',
  },
  {
    number: 10,
    slug: 'the-orange-thread',
    format: 'NATIVE',
    motif: 'weave',
    title: 'The Orange Thread',
    content: 'One reel, one needle, one wooden mushroom: all you need for an evening worth showing.',
    linkText: 'Mend something',
  },
  {
    number: 11,
    slug: 'the-slow-century-club',
    format: 'NATIVE',
    motif: 'hills',
    title: 'The Slow Century Club',
    content: 'A hundred miles in five days, lunch carried. The badge is felt, and looks like a snail.',
    linkText: 'Join at walking pace',
  },
  {
    number: 12,
    slug: 'venn-and-adeyemi',
    format: 'NATIVE',
    motif: 'skyline',
    title: 'Venn & Adeyemi, Lamp Care',
    content: 'If it coughs, we come.',
    linkText: 'Describe the cough',
  },
  {
    number: 13,
    slug: 'the-saturday-edition',
    format: 'POPUP',
    motif: 'halftone',
    title: 'The Saturday edition',
    content: 'On paper, damped the night before.',
    linkText: 'Have it posted',
  },
  {
    number: 14,
    slug: 'reyes-bells',
    format: 'POPUP',
    motif: 'tiles',
    title: 'Reyes Bells',
    content: 'A horn says move. A bell says good morning.',
    linkText: 'Ring one',
    priority: -1,
  },
  {
    number: 15,
    slug: 'summer-regatta',
    format: 'BANNER',
    motif: 'bridge',
    title: 'The Summer Regatta',
    content: 'Over for this year.',
    linkText: 'See you in June',
    priority: 5,
    active: false,
  },
  {
    number: 16,
    slug: 'winter-market',
    format: 'SIDEBAR',
    motif: 'hills',
    title: 'The Winter Market',
    content: 'Opens in a fortnight, with snow by arrangement.',
    linkText: 'Bring a basket',
    priority: 5,
    startsInDays: 14,
  },
];
