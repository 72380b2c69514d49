import type { MotifName } from '../art/motif.ts';
import type { Article } from './article.ts';
import { BICYCLES } from './bicycles.ts';
import { CITY } from './city.ts';
import { CRAFT } from './craft.ts';
import { LETTERPRESS } from './letterpress.ts';
import { WEATHER } from './weather.ts';

/** A section of the sample magazine: a category of the blog. */
export interface Section {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** What the covers of its articles are drawn with. */
  readonly motif: MotifName;
  readonly articles: readonly Article[];
}

/** The sections, in the order of the magazine. */
export const SECTIONS: readonly Section[] = [
  {
    id: 'city',
    name: 'City',
    description: 'Streets, stairs and what they say to those who walk.',
    motif: 'skyline',
    articles: CITY,
  },
  {
    id: 'craft',
    name: 'Craft',
    description: 'Things made slowly, and the people who are in no hurry.',
    motif: 'weave',
    articles: CRAFT,
  },
  {
    id: 'letterpress',
    name: 'Letterpress',
    description: 'Metal, ink, paper, and the white between.',
    motif: 'letters',
    articles: LETTERPRESS,
  },
  {
    id: 'weather',
    name: 'Weather',
    description: 'What is coming, what it is called, and where to stand.',
    motif: 'rain',
    articles: WEATHER,
  },
  {
    id: 'bicycles',
    name: 'Bicycles',
    description: 'Two wheels, no timetable.',
    motif: 'wheel',
    articles: BICYCLES,
  },
];
