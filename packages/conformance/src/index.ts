export { conformanceCases, transportCases } from './conformance-cases.ts';
export { Disagreement } from './expect.ts';
export { CONFORMANCE_KEYS, conformanceSnapshot } from './fixture/snapshot.ts';
export { type ConformanceOptions, type ConformanceResult, casesFor, runConformance } from './run-conformance.ts';
export {
  type AdCounts,
  type Capability,
  type ConformanceCase,
  capabilities,
  type ScheduledPost,
  type Target,
  Unchecked,
} from './target.ts';
