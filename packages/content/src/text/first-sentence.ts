const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
/** A stop after these ends no sentence, though the next word has a capital. */
const abbreviation = /(?:^|[\s(])(?:\p{Lu}|e\.g|i\.e|cf|vs|Mr|Mrs|Ms|Dr|Prof|St|No|Inc|approx)\.\s*$/u;
/** Characters. A subtitle is a line, and some texts are one endless sentence. */
const LONGEST = 300;

/** The first sentence of a plain text, in one line and at most 300 characters. */
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
