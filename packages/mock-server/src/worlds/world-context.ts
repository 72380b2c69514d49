import type { AnswerCache, Caller } from '@broadsheet/core';
import { EPOCH } from '../data/factory.ts';
import { createRandom, type SeededRandom } from '../data/random.ts';
import type { BlogContent } from '../data/sample-blog.ts';
import type { Target } from '../faults/fault.ts';
import { FaultBook } from '../faults/fault-book.ts';
import { Gates } from '../faults/gates.ts';
import { Journal } from '../journal/journal.ts';
import type { OffContract } from '../journal/off-contract.ts';
import { TokenLedger } from '../journal/token-ledger.ts';
import type { Lens, Point } from '../lenses/lens.ts';
import { anInstant, createClock, type InnerClock } from '../time/clock.ts';
import { Content } from './content.ts';
import type { WorldOptions } from './world.ts';

/** The secret of the webhooks of every world. It is public, so it protects nothing. */
export const WEBHOOK_SECRET = 'whsec_YSB3ZWJob29rIHNlY3JldCBmb3IgdGVzdHMgb25seS4=';

/** What all worlds of a mock share. */
export interface MockContext {
  readonly baseUrl: string;
  /** The path of the base URL, without a trailing slash. */
  readonly basePath: string;
  readonly docsUrl: string;
  /** The sample blog of a seed. */
  sample(seed: string): BlogContent;
  /** Caches the responses of all worlds; a page has no cache. */
  readonly cache: AnswerCache | undefined;
  /** Routes requests with this key to the world of this name. */
  adopt(apiKey: string, name: string): void;
}

/** Everything that the parts of one world share. */
export interface WorldContext {
  readonly mock: MockContext;
  readonly name: string;
  readonly clock: InnerClock;
  /** Decides ids, tokens and ties. */
  readonly random: SeededRandom;
  /** Decides which faults apply: a separate sequence, so that the data does not depend on failures. */
  readonly faultRandom: SeededRandom;
  readonly content: Content;
  readonly journal: Journal;
  readonly tokens: TokenLedger;
  readonly faults: FaultBook;
  readonly gates: Gates;
  /** The lens of each endpoint. */
  readonly lenses: Map<Target, Lens | Point>;
  /** The visitor, where the adapter does not know it. */
  visitor: Caller;
  offContract: OffContract[];
}

/** Creates the parts of a world. */
export function createWorldContext(
  mock: MockContext,
  { name, seed, ...options }: WorldOptions & { readonly name: string; readonly seed: string },
): WorldContext {
  const clock = createClock(anInstant(options.start ?? EPOCH), options.pace);
  const content = new Content(name, options.blog ?? mock.sample(seed), options.apiKey, clock);
  return {
    mock,
    name,
    clock,
    random: createRandom(`world ${seed}`),
    faultRandom: createRandom(`luck ${seed}`),
    content,
    journal: new Journal(name),
    tokens: new TokenLedger(clock, content),
    faults: new FaultBook(),
    gates: new Gates(),
    lenses: new Map(),
    visitor: { ip: options.ip ?? '192.0.2.1', origin: options.origin },
    offContract: [],
  };
}
