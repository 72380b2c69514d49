const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
/** A full stop after these does not end a sentence, even if the next word is capitalized. */
const abbreviation = /(?:^|[\s(])(?:\p{Lu}|e\.g|i\.e|cf|vs|Mr|Mrs|Ms|Dr|Prof|St|No|Inc|approx)\.\s*$/u;
/** Measured in characters: a subtitle is one line, and some texts are a single long sentence. */
const LONGEST = 300;

/** The first sentence of a plain text, on one line and with at most 300 characters. */
export function firstSentence(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  let sentence = '';
  for (const { segment } of sentences.segment(line.slice(0, LONGEST * 2))) {
    sentence += segment;
    if (!abbreviation.test(sentence)) break;
  }
  return shorten(sentence.trim());
}

function shorten(sentence: string): string {
  if (sentence.length <= LONGEST) return sentence;
  const cut = sentence.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, '');
  const word = cut.lastIndexOf(' ');
  return `${(word > LONGEST / 2 ? cut.slice(0, word) : cut).trimEnd()}…`;
}
