import type { SearchResultItem } from '@broadsheet/contract';
import type { Range } from '@broadsheet/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { readRanked, readResults, together } from './ranked-search.ts';
import { type Costs, planSearch } from './search-plan.ts';
import { partsOf, type TermPart } from './search-words.ts';
import { type Contains, EVERY_PUBLISHED, readTexts, type Source } from './text-matches.ts';
import { lookUp, type WordsContaining } from './vocabulary.ts';

/** How a database does the steps of a search. */
export interface SearchDialect {
  readonly contains: Contains;
  readonly wordsContaining: WordsContaining;
  /** Posts that have a word of each group, in the order of posts; with `titles`, all of them in the title if it knows. */
  lists(blogId: string, groups: readonly (readonly number[])[], titles: boolean): Source;
  /** Selects that one statement may unite. */
  readonly abreast: number;
  readonly costs: Costs;
}

/** Parts that are looked up; what more there are is looked for in the texts. */
const PARTS = 16;
/** Characters from which on an index of trigrams finds words. */
const TRIGRAM = 3;

const isShort = ({ text, whole }: TermPart): boolean => !whole && [...text].length < TRIGRAM;

/**
 * Searches by words: a term has no white space, so it lies within words, and those are few in a blog of any size. The
 * words that contain a term lead to posts, whose texts decide; where they would lead astray, posts are walked in order.
 */
export async function searchByWords(
  db: Kysely<Tables>,
  dialect: SearchDialect,
  blogId: string,
  terms: readonly string[],
  range: Range,
): Promise<SearchResultItem[]> {
  const parts = new Map(terms.flatMap(partsOf).map((part) => [part.text, part]));
  const long = [...parts.values()].filter((part) => !isShort(part));
  // Short parts are in many words, so they are looked up only when there is nothing better.
  const lookedUp = (long.length > 0 ? long : [...parts.values()]).slice(0, PARTS);
  const found = await lookUp(db, dialect, blogId, lookedUp);
  if (found.groups.some(({ words }) => words?.length === 0)) return [];
  const { leads, matches: expected } = planSearch(found, together(range), dialect.costs);
  const source = (titles: boolean) => (leads.length > 0 ? dialect.lists(blogId, leads, titles) : EVERY_PUBLISHED);
  const matches = readTexts(db, dialect.contains, blogId, terms, source(false), source(true));
  return readResults(db, blogId, await readRanked(terms.length, range, matches, expected));
}
