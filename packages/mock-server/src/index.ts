import './doors/web-platform.ts';

export {
  AD_FORMATS,
  type AdFormat,
  ENDPOINT_IDS,
  type EndpointId,
  type ErrorCode,
  type SnapshotAd,
  type SnapshotCampaign,
  type SnapshotCategory,
  type SnapshotPost,
  type SnapshotTag,
} from '@broadsheet/contract';
export {
  type BlogContent,
  type ContentChange,
  type ContentIds,
  sampleBlog,
  type WorldContent,
} from './data/sample-blog.ts';
export {
  type AnswerOptions,
  type AnswerTo,
  type CodeWith,
  type Delay,
  type Failure,
  type Fault,
  type FaultOptions,
  type FaultTarget,
  type StatusOf,
  TRANSPORT_FAULTS,
  type TransportFault,
} from './faults/fault.ts';
export type { Gate } from './faults/gates.ts';
export type { Calls, JournalEntry } from './journal/journal.ts';
export { type OffContract, OffContractError } from './journal/off-contract.ts';
export type { IssuedToken, IssuedTokens } from './journal/tokens.ts';
export { type FuzzSeed, LENSES, type Lens } from './lenses/lens.ts';
export { createMock } from './node.ts';
export type { Duration, Pace, WorldClock } from './time/clock.ts';
export type { Listening, ListenOptions, Mock, MockOptions } from './worlds/mock.ts';
export type {
  AdCounts,
  Connection,
  WebhookOptions,
  World,
  WorldControls,
  WorldOptions,
  WorldState,
} from './worlds/world.ts';
