import { authenticationCases } from './cases/authentication.ts';
import { batchCases } from './cases/batch.ts';
import { bodyCases } from './cases/bodies.ts';
import { cachingCases } from './cases/caching.ts';
import { clickTokenCases } from './cases/click-tokens.ts';
import { clickCases } from './cases/clicks.ts';
import { deliveryCases } from './cases/delivery.ts';
import { errorCases } from './cases/errors.ts';
import { idempotencyCases } from './cases/idempotency.ts';
import { impressionCases } from './cases/impression.ts';
import { labelCases } from './cases/labels.ts';
import { methodCases } from './cases/methods.ts';
import { originCases } from './cases/origins.ts';
import { paginationCases } from './cases/pagination.ts';
import { postCases } from './cases/posts.ts';
import { schedulingCases } from './cases/scheduling.ts';
import { searchCases } from './cases/search.ts';
import type { ConformanceCase } from './target.ts';

/**
 * Every promise of the API document that can be seen from outside, and of the points it leaves open. They were written
 * from the document alone, so that the document judges the code and not the other way round.
 */
export const conformanceCases: readonly ConformanceCase[] = [
  ...postCases,
  ...labelCases,
  ...searchCases,
  ...deliveryCases,
  ...batchCases,
  ...idempotencyCases,
  ...bodyCases,
  ...impressionCases,
  ...clickCases,
  ...clickTokenCases,
  ...originCases,
  ...paginationCases,
  ...authenticationCases,
  ...errorCases,
  ...methodCases,
  ...cachingCases,
  ...schedulingCases,
];
