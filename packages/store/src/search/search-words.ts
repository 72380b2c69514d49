/** Scripts that write without spaces: their words cannot be seen, so characters and pairs stand for them. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** Letters and digits; text of unspaced scripts; everything else that is not white space. */
const RUNS = new RegExp(
  `(?<unspaced>[${UNSPACED}]+)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+|[^\\s\\p{L}\\p{N}${UNSPACED}]+`,
  'gu',
);
/** Characters of the longest word, which an index can still hold; a longer one is known by parts that overlap. */
const LONGEST = 400;
/** Of a longer part of a term only so much is looked up: no two parts of a word overlap by less. */
const LOOKED_UP = 200;

/** A part of a term that is looked up among the words of a blog. */
export interface TermPart {
  readonly text: string;
  /** Whether it is itself a word; else it may be anywhere inside of words. */
  readonly whole: boolean;
}

/** The words of a folded text, each once: whatever a term without white space can be found in, its parts are in them. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const { run, unspaced } of runsOf(text)) {
    if (unspaced) {
      const characters = [...run];
      for (const [index, character] of characters.entries()) {
        words.add(character);
        if (index > 0) words.add(`${characters[index - 1]}${character}`);
      }
    } else if (run.length <= LONGEST) words.add(run);
    else for (const part of overlapping([...run])) words.add(part);
  }
  return words;
}

/** What a folded term is looked up by. Texts with all of its parts are candidates, nothing more. */
export function partsOf(term: string): TermPart[] {
  return [...runsOf(term)].flatMap(({ run, unspaced }): TermPart[] => {
    if (!unspaced) return [{ text: [...run].slice(0, LOOKED_UP).join(''), whole: false }];
    const words = [...wordsOf(run)];
    return (words.length === 1 ? words : words.filter((word) => [...word].length === 2)).map((text) => ({
      text,
      whole: true,
    }));
  });
}

function* runsOf(text: string): Generator<{ run: string; unspaced: boolean }> {
  // Half a surrogate pair is no text for a database, which would store the mark of replacement instead.
  for (const match of text.replace(/\p{Surrogate}/gu, '\ufffd').matchAll(RUNS)) {
    yield { run: match[0], unspaced: match.groups?.['unspaced'] !== undefined };
  }
}

function* overlapping(characters: readonly string[]): Generator<string> {
  for (let start = 0; ; start += LONGEST - LOOKED_UP) {
    yield characters.slice(start, start + LONGEST).join('');
    if (start + LONGEST >= characters.length) return;
  }
}
