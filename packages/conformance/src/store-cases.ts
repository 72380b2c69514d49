import { clickCases } from './store/clicks.ts';
import { countCases } from './store/counts.ts';
import { labelCases } from './store/labels.ts';
import { placementCases } from './store/placements.ts';
import { postCases } from './store/posts.ts';
import { schedulingCases } from './store/scheduling.ts';
import { scopeCases } from './store/scope.ts';
import { searchCases } from './store/search.ts';
import type { StoreCase } from './store/store-case.ts';
import { writingCases } from './store/writing.ts';

/**
 * Every promise of the Store port, to be run over each implementation of it.
 *
 * @example
 * for (const { name, run } of storeCases) test(name, () => run(async () => ({ store: createMemoryStore() })));
 */
export const storeCases: readonly StoreCase[] = [
  ...postCases,
  ...scopeCases,
  ...labelCases,
  ...searchCases,
  ...writingCases,
  ...countCases,
  ...clickCases,
  ...placementCases,
  ...schedulingCases,
];
