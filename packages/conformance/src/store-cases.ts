import { campaignCases } from './store/campaigns.suite.ts';
import { clickCases } from './store/clicks.suite.ts';
import { countCases } from './store/counts.suite.ts';
import { deliveryCases } from './store/deliveries.suite.ts';
import { labelCases } from './store/labels.suite.ts';
import { placementCases } from './store/placements.suite.ts';
import { postCases } from './store/posts.suite.ts';
import { schedulingCases } from './store/scheduling.suite.ts';
import { scopeCases } from './store/scope.suite.ts';
import { searchCases } from './store/search.suite.ts';
import type { StoreCase } from './store/store-case.ts';
import { timeZoneCases } from './store/time-zones.suite.ts';
import { viewableCases } from './store/viewable.suite.ts';
import { writingCases } from './store/writing.suite.ts';

/**
 * The rules of the Store port that no request to the API shows, to be run against each implementation, as are the
 * cases of an API over it.
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
  ...deliveryCases,
  ...campaignCases,
  ...clickCases,
  ...placementCases,
  ...viewableCases,
  ...timeZoneCases,
  ...schedulingCases,
];
