import { campaignCases } from './campaigns.suite.ts';
import { clickCases } from './clicks.suite.ts';
import { countCases } from './counts.suite.ts';
import { deliveryCases } from './deliveries.suite.ts';
import { labelCases } from './labels.suite.ts';
import { placementCases } from './placements.suite.ts';
import { postCases } from './posts.suite.ts';
import { schedulingCases } from './scheduling.suite.ts';
import { scopeCases } from './scope.suite.ts';
import { searchCases } from './search.suite.ts';
import type { StoreCase } from './store-case.ts';
import { timeZoneCases } from './time-zones.suite.ts';
import { viewableCases } from './viewable.suite.ts';
import { writingCases } from './writing.suite.ts';

/**
 * The rules of the Store port that no request to the API reveals. Run them, and the cases of an API over the store,
 * against each implementation.
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
