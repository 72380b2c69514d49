import type { WebhookType } from '@broadsheet/contract';
import { asFetch, fromFetch, pageOf } from '../doors/answer.ts';
import { OffContractError } from '../journal/off-contract.ts';
import { check } from './checks.ts';
import type { ContentState, WrittenContent } from './content.ts';
import { faultControls } from './fault-controls.ts';
import type { WebhookOptions, World, WorldOptions, WorldState } from './world.ts';
import { createWorldApi, type InnerWorld } from './world-api.ts';
import { createWorldContext, type MockContext, WEBHOOK_SECRET, type WorldContext } from './world-context.ts';

/** Creates a world; its mock passes requests to it. */
export function createWorld(
  mock: MockContext,
  options: WorldOptions & { readonly name: string; readonly seed: string },
): InnerWorld {
  const context = createWorldContext(mock, options);
  const { content, journal, tokens } = context;
  const api = createWorldApi(context);
  return {
    ...api,
    ...contentControls(context),
    ...faultControls(context),
    ...contractChecks(context),
    ...lifeCycle(context),
    context,
    name: context.name,
    clock: context.clock,
    webhookSecret: WEBHOOK_SECRET,
    async webhook(type: WebhookType, given: WebhookOptions = {}) {
      // Most tests send no webhook, and pages should not load code that they do not use.
      const { webhookRequest } = await import('./webhook.ts');
      return webhookRequest(context, type, given);
    },
    fetch: async (input, init) => asFetch(await api.respond(fromFetch(new Request(input, init)), pageOf())),
    get apiKey() {
      return content.apiKey;
    },
    get connection() {
      return { baseUrl: mock.baseUrl, apiKey: content.apiKey };
    },
    get blog() {
      return content.blog;
    },
    get calls() {
      return journal.calls;
    },
    get journal() {
      return journal.all;
    },
    get tokens() {
      return tokens.book;
    },
    get offContract() {
      return context.offContract;
    },
  };
}

/** Controls the content, the key and the visitor of a world. */
function contentControls(context: WorldContext): Pick<World, 'ad' | 'put' | 'remove' | 'rotateKey' | 'visitAs'> {
  const { content, mock, name } = context;
  return {
    ad: (id) => content.ad(id),
    put(added) {
      check('put', added);
      content.put(added);
    },
    remove(ids) {
      check('remove', ids);
      content.remove(ids);
    },
    rotateKey() {
      const apiKey = content.rotateKey();
      mock.adopt(apiKey, name);
      return apiKey;
    },
    visitAs(visitor) {
      check('visitAs', visitor);
      context.visitor = { ...context.visitor, ...visitor };
    },
  };
}

/** Reports requests that the contract does not allow. */
function contractChecks(context: WorldContext): Pick<World, 'assertOnContract' | 'forgive'> {
  return {
    assertOnContract() {
      if (context.offContract.length > 0) throw new OffContractError(context.offContract);
    },
    forgive() {
      context.offContract = [];
    },
  };
}

/** Saves, restores, resets and closes a world. */
function lifeCycle(context: WorldContext): Pick<InnerWorld, 'unfinished' | 'reset' | 'close' | 'snapshot' | 'restore'> {
  const { clock, gates, faults, lenses, journal } = context;
  const beginning = saveWorld(context);
  const { visitor } = context;
  const waiting = (): string[] => {
    const held = gates.unfinished();
    return clock.waiting > 0 ? [`${clock.waiting} response(s) wait for world.clock.advance()`, ...held] : held;
  };
  return {
    unfinished: () => [...waiting(), ...faults.unmet().map((fault) => `${fault} matched no request`)],
    reset() {
      faults.rules = [];
      lenses.clear();
      restoreWorld(context, beginning);
      gates.releaseAll();
      journal.all = [];
      context.offContract = [];
      context.visitor = visitor;
    },
    close() {
      const left = waiting();
      gates.releaseAll();
      clock.set(clock.now());
      return left;
    },
    snapshot: () => saveWorld(context),
    restore: (state) => restoreWorld(context, state),
  };
}

/** The full form of a {@link WorldState}; its content may have been read from JSON. */
interface SavedWorld extends WorldState {
  readonly content: ContentState | WrittenContent;
  /** The issued tokens; the content knows which were used. */
  readonly tokens: readonly string[];
  readonly now: number;
  readonly random: number;
  readonly faultRandom: number;
}

/** The current content, counters, tokens, time and random state. */
const saveWorld = (context: WorldContext): SavedWorld => ({
  world: context.name,
  content: context.content.save(),
  tokens: context.tokens.tokens,
  now: context.clock.now(),
  random: context.random.save(),
  faultRandom: context.faultRandom.save(),
});

/** Restores a saved state. @throws Error for a value that is not a state, or belongs to another world */
function restoreWorld(context: WorldContext, given: WorldState | undefined): void {
  const state = given as SavedWorld | undefined;
  if (state?.world !== context.name || !state.content) {
    throw new Error(`restore: expected a snapshot of world ${context.name}; received one of ${state?.world}`);
  }
  context.content.load(state.content, state.now);
  context.tokens.tokens = state.tokens;
  context.random.load(state.random);
  context.faultRandom.load(state.faultRandom);
  context.clock.set(state.now);
  for (const key of context.content.keys) context.mock.adopt(key, context.name);
}
