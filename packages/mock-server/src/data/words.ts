import type { SeededRandom } from './random.ts';

const SUBJECTS = ['river', 'lantern', 'harbour', 'orchard', 'night train', 'market', 'press'];
const DEEDS = ['keeps its promise', 'wakes the town', 'outlives a storm', 'teaches patience', 'changes hands'];
const PLACES = ['Porto', 'Tromsø', 'Kyoto', 'Valparaíso', 'Zürich', 'Nairobi', 'Québec'];
const SENTENCES = [
  'Nobody had planned for the snow, and so nobody was late.',
  'The ledger lists every loaf, every candle and one violin.',
  'What looks like chance from the street is habit from the window.',
  'She measured the bridge twice and trusted neither number.',
  'By noon the whole quarter smelled of ink and oranges.',
];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A headline. */
export function title(random: SeededRandom): string {
  return capital(`the ${random.pick(SUBJECTS)} of ${random.pick(PLACES)} ${random.pick(DEEDS)}`);
}

/** A sentence. */
export function sentence(random: SeededRandom): string {
  return random.pick(SENTENCES);
}

/** The body of a post, as an editor writes HTML. */
export function article(random: SeededRandom): string {
  const paragraphs = Array.from(
    { length: 2 + random.below(3) },
    () => `<p>${sentence(random)} ${sentence(random)}</p>`,
  );
  return `${paragraphs[0]}<h2>${title(random)}</h2>${paragraphs.slice(1).join('')}`;
}

/** A text as it may stand in an address. */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
