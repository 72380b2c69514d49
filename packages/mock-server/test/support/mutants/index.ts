import { AD_MUTANTS } from './ads.ts';
import type { Mutant } from './broken-server.ts';
import { CLICK_MUTANTS } from './clicks.ts';
import { COMBINED_MUTANTS } from './combined.ts';
import { CONTENT_MUTANTS } from './content.ts';
import { EASY_TO_MISS } from './easy-to-miss.ts';
import { HTTP_MUTANTS } from './http.ts';
import { LIST_MUTANTS } from './lists.ts';
import { PARAMETER_MUTANTS } from './parameters.ts';
import { PROTOCOL_MUTANTS } from './protocol.ts';
import { SEARCH_MUTANTS } from './search.ts';
import { SENTENCE_MUTANTS } from './sentences.ts';

export type { Mutant } from './broken-server.ts';

/** All servers with a single deviation, which a comparison with the API document must find. */
export const MUTANTS: readonly Mutant[] = [
  ...CONTENT_MUTANTS,
  ...PARAMETER_MUTANTS,
  ...SEARCH_MUTANTS,
  ...HTTP_MUTANTS,
  ...AD_MUTANTS,
  ...LIST_MUTANTS,
  ...PROTOCOL_MUTANTS,
  ...CLICK_MUTANTS,
  ...SENTENCE_MUTANTS,
  ...EASY_TO_MISS,
  ...COMBINED_MUTANTS,
];
