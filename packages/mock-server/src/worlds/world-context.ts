import type { Caller, ResponseCache } from '@broadsheet/core';
import { resumeRandom, type SeededRandom } from '../data/random.ts';
import type { FaultRule, FaultTarget } from '../faults/fault.ts';
import { Gates } from '../faults/gates.ts';
import { Journal } from '../journal/journal.ts';
import type { Lens, Point } from '../lenses/lens.ts';
import type { InnerClock } from '../time/clock.ts';
import { Content, type SavedContent } from './content.ts';
import type { WorldState } from './world.ts';

/** The secret of the webhooks of every world. It is public, so it protects nothing. */
export const WEBHOOK_SECRET = 'whsec_YSB3ZWJob29rIHNlY3JldCBmb3IgdGVzdHMgb25seS4=';

/** The state that all worlds of a mock share. */
export interface MockContext {
  readonly baseUrl: string;
  /** The path of the base URL, without a trailing slash. */
  readonly basePath: string;
  /** Errors link to pages below it. */
  readonly docsUrl: string;
  /** Caches the responses of all worlds; a page has no cache. */
  readonly cache: ResponseCache | undefined;
  /** Makes requests with a preview token find its world. */
  route(token: string, context: WorldContext): void;
}

/** Everything that the parts of one world share, from its creation or last reset to the next. */
export interface WorldContext {
  readonly mock: MockContext;
  readonly name: string;
  /** Requests with one of them reach this world; clients use the first. */
  readonly keys: readonly string[];
  readonly clock: InnerClock;
  /** Decides ids, tokens and ties. */
  readonly random: SeededRandom;
  /** Decides which faults apply. It is a separate sequence, so that the data does not depend on failures. */
  readonly faultRandom: SeededRandom;
  readonly content: Content;
  readonly journal: Journal;
  /** The issued click tokens, oldest first. */
  readonly tokens: string[];
  /** In the order they were set. */
  readonly faults: FaultRule[];
  readonly gates: Gates;
  /** The lens of each endpoint. */
  readonly lenses: Map<FaultTarget, Lens | Point>;
  /** The visitor, as far as the test sets it. */
  visitor: Caller;
  /** Ends the requests that are pending. */
  readonly end: AbortController;
}

/** The full form of a {@link WorldState}: plain JSON. */
export interface SavedWorld extends WorldState {
  readonly content: SavedContent;
  /** The issued tokens; the content knows which were used. */
  readonly tokens: readonly string[];
  readonly now: number;
  readonly random: number;
  readonly faultRandom: number;
}

/** The parts with which a world begins. */
type FirstParts = Pick<WorldContext, 'mock' | 'name' | 'keys' | 'clock' | 'visitor'>;

/** A new world in a saved state, or an existing one: its journal, faults, gates and lenses stay. */
export function createContext(parts: FirstParts | WorldContext, state: SavedWorld): WorldContext {
  const { name, clock, keys } = parts;
  return {
    ...{ journal: new Journal(name, clock), faults: [], gates: new Gates(), lenses: new Map() },
    ...parts,
    content: new Content(name, clock, keys, state.content),
    tokens: [...state.tokens],
    random: resumeRandom(state.random),
    faultRandom: resumeRandom(state.faultRandom),
    end: new AbortController(),
  };
}
