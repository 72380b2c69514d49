import type { SearchEntry, SearchText } from './post-search.ts';
import { wordsOf } from './search-words.ts';
import { EVERY_POST, type VocabularyWrite } from './vocabulary-write.ts';

/** Numbers of the words of a published post. */
export interface EntryWords {
  readonly title: readonly number[];
  readonly subtitle: readonly number[];
}

/**
 * Learns the words of posts, and counts them unless they are counted already; `undefined` stands for a post that is
 * not published.
 */
export async function readEntries(
  vocabulary: VocabularyWrite,
  entries: readonly SearchEntry[],
  counted: 'count' | 'counted' = 'count',
): Promise<(EntryWords | undefined)[]> {
  const now = entries.map((entry) => textWords(entry));
  const before = entries.map((entry) => textWords(entry.before));
  await vocabulary.learn([...now, ...before].flatMap((words) => (words ? [...words.all] : [])));
  return now.map((words, index) => {
    const old = before[index];
    if (old && counted === 'count') vocabulary.count(old.all, -1);
    if (!words) return undefined;
    if (counted === 'count') vocabulary.count(words.all, 1);
    return {
      title: [...words.title].map(vocabulary.numberOf),
      subtitle: [...words.subtitle].map(vocabulary.numberOf),
    };
  });
}

function textWords(text: SearchText | undefined) {
  if (!text?.published) return undefined;
  const [title, subtitle] = [wordsOf(text.fold_title), wordsOf(text.fold_subtitle)];
  return { title, subtitle, all: new Set([EVERY_POST, ...title, ...subtitle]) };
}
