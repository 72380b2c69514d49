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
import { placementCases } from './cases/placements.ts';
import { postCases } from './cases/posts.ts';
import { previewCases } from './cases/preview.ts';
import { schedulingCases } from './cases/scheduling.ts';
import { searchCases } from './cases/search.ts';
import { viewableCases } from './cases/viewable.ts';
import type { ConformanceCase } from './target.ts';

/** Every group of cases, in the order in which they run. */
const GROUPS: readonly { readonly cases: readonly ConformanceCase[]; readonly transport?: boolean }[] = [
  { cases: postCases, transport: true },
  { cases: labelCases },
  { cases: searchCases },
  { cases: deliveryCases },
  { cases: batchCases },
  { cases: placementCases },
  { cases: idempotencyCases, transport: true },
  { cases: bodyCases, transport: true },
  { cases: impressionCases, transport: true },
  { cases: viewableCases, transport: true },
  { cases: clickCases.filter(({ needs }) => !needs.includes('ips')) },
  { cases: clickCases.filter(({ needs }) => needs.includes('ips')), transport: true },
  { cases: clickTokenCases },
  { cases: originCases, transport: true },
  { cases: paginationCases, transport: true },
  { cases: authenticationCases, transport: true },
  { cases: errorCases, transport: true },
  { cases: methodCases, transport: true },
  { cases: cachingCases, transport: true },
  { cases: previewCases, transport: true },
  { cases: schedulingCases },
];

/**
 * Every observable rule of the API document, and of the points that it leaves open. The cases are derived from the
 * document, never from the code.
 */
export const conformanceCases: readonly ConformanceCase[] = GROUPS.flatMap(({ cases }) => cases);

/** The cases about paths, methods, headers, bodies, statuses and IP addresses, which a transport can break. */
export const transportCases: readonly ConformanceCase[] = GROUPS.flatMap(({ cases, transport }) =>
  transport ? cases : [],
);
