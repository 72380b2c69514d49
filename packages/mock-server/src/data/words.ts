import type { SeededRandom } from './random.ts';

const SUBJECTS = ['river', 'lantern', 'harbour', 'night train', 'market', 'press'];
const DEEDS = ['keeps its promise', 'wakes the town', 'outlives a storm', 'teaches patience'];
const PLACES = ['Porto', 'Tromsø', 'Kyoto', 'Valparaíso', 'Zürich'];
const SENTENCES = [
  'Nobody had planned for the snow.',
  'The ledger lists every loaf and candle.',
  'By noon the quarter smelled of ink.',
];

/** A headline. */
export function title(random: SeededRandom): string {
  return `The ${random.pick(SUBJECTS)} of ${random.pick(PLACES)} ${random.pick(DEEDS)}`;
}

/** A sentence. */
export function sentence(random: SeededRandom): string {
  return random.pick(SENTENCES);
}

/** The body of a post, as an editor writes HTML. */
export function article(random: SeededRandom): string {
  const paragraph = () => `<p>${sentence(random)} ${sentence(random)}</p>`;
  return `${paragraph()}<h2>${title(random)}</h2>${paragraph()}`;
}

/** A text as it may stand in an address. */
export const slugOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
