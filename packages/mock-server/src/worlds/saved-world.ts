import type { LedgerState } from '../journal/token-ledger.ts';
import type { ContentState, WrittenContent } from './content.ts';
import type { WorldState } from './world.ts';
import type { WorldContext } from './world-context.ts';

/** A {@link WorldState} as the world itself sees it; its content may have been JSON since. */
interface SavedWorld extends WorldState {
  readonly content: ContentState | WrittenContent;
  readonly tokens: LedgerState;
  readonly now: number;
  readonly random: number;
  readonly faultRandom: number;
}

/** Content, counters, tokens, time and chance as they are now. */
export const saveWorld = (context: WorldContext): SavedWorld => ({
  world: context.name,
  content: context.content.save(),
  tokens: context.tokens.save(),
  now: context.clock.now(),
  random: context.random.save(),
  faultRandom: context.faultRandom.save(),
});

/** Goes back to a saved state. @throws Error for a value that is not a state, or belongs to another world */
export function restoreWorld(context: WorldContext, given: WorldState | undefined): void {
  const state = given as SavedWorld | undefined;
  if (state?.world !== context.name || !state.content) {
    throw new Error(`restore: expected a snapshot of world ${context.name}; received one of ${state?.world}`);
  }
  context.content.load(state.content, state.now);
  context.tokens.load(state.tokens);
  context.random.load(state.random);
  context.faultRandom.load(state.faultRandom);
  context.clock.set(state.now);
  for (const key of context.content.keys()) context.mock.adopt(key, context.name);
}
