import type { SnapshotBlogInput, WebhookType } from '@broadsheet/contract';
import { hash } from '../data/random.ts';
import { EPOCH } from '../data/stored-factories.ts';
import { asFetch, fromFetch, pageOf } from '../doors/response.ts';
import { OffContractError } from '../journal/off-contract.ts';
import { tokensByState } from '../journal/tokens.ts';
import { createClock, toTimestamp } from '../time/clock.ts';
import { ANY, check, IP, ORIGIN } from './checks.ts';
import { computed } from './computed.ts';
import { faultControls } from './fault-controls.ts';
import type { WebhookOptions, World, WorldOptions, WorldState } from './world.ts';
import { createWorldApi, type WorldApi } from './world-api.ts';
import {
  createContext,
  type MockContext,
  type SavedWorld,
  WEBHOOK_SECRET,
  type WorldContext,
} from './world-context.ts';

/** A world as its mock uses it. */
export interface InnerWorld extends Pick<WorldApi, 'respond' | 'rehearsal'> {
  readonly world: World;
  /** The current parts of the world. */
  readonly context: WorldContext;
  /** Aborts the requests that are pending. @returns what was pending */
  close(): string[];
}

/** The options of a world, completed by its mock. */
interface FullOptions extends WorldOptions {
  readonly name: string;
  readonly seed: string;
  readonly blog: SnapshotBlogInput;
  readonly keys: readonly string[];
}

/** Creates a world; its mock passes requests to it. */
export function createWorld(mock: MockContext, options: FullOptions): InnerWorld {
  const { name, seed, blog, keys, ip, origin } = options;
  const [apiKey = ''] = keys;
  const clock = createClock(toTimestamp(options.start ?? EPOCH), options.pace);
  const beginning: SavedWorld = {
    world: name,
    content: { blog, events: {} },
    tokens: [],
    now: clock.now(),
    random: hash(`world ${seed}`),
    faultRandom: hash(`luck ${seed}`),
  };
  const fresh = () => createContext({ mock, name, keys, clock, visitor: { ip, origin } }, beginning);
  let context = fresh();
  let api = createWorldApi(context);
  const current = () => context;
  const begin = (next: WorldContext, now: number) => {
    abortPending(context);
    context = next;
    api = createWorldApi(next);
    clock.set(now);
  };
  const respond: WorldApi['respond'] = (request, caller) => api.respond(request, caller);
  const world: World = Object.assign(views(current), {
    ...{ name, apiKey, connection: { baseUrl: mock.baseUrl, apiKey }, clock, webhookSecret: WEBHOOK_SECRET },
    ...contentControls(current),
    ...faultControls(current),
    ...contractControls(current),
    snapshot: () => savedWorld(context),
    reset: () => begin(fresh(), beginning.now),
    restore(given: WorldState) {
      const state = savedState(given, name);
      begin(createContext(context, state), state.now);
    },
    preview: (id: string) => api.preview(id),
    fetch: async (input: RequestInfo | URL, init?: RequestInit) =>
      asFetch(await respond(fromFetch(new Request(input, init)), pageOf())),
  });
  return {
    world,
    respond,
    rehearsal: () => api.rehearsal(),
    get context() {
      return context;
    },
    close() {
      const left = pendingIn(context);
      abortPending(context);
      return left;
    },
  };
}

/** The members that show the current state of a world. */
const views = (current: () => WorldContext) =>
  computed<Pick<World, 'blog' | 'calls' | 'journal' | 'tokens' | 'offContract'>>({
    blog: () => current().content.blog,
    calls: () => current().journal.calls,
    journal: () => current().journal.all,
    tokens: () =>
      tokensByState(
        current().tokens,
        current().clock,
        (id) => current().content.state.events?.usedTokens.has(id) === true,
      ),
    offContract: () => current().journal.offContract,
  });

/** Controls the content and the visitor of a world. */
function contentControls(current: () => WorldContext): Pick<World, 'ad' | 'put' | 'remove' | 'visitAs'> {
  const kinds = { categories: ANY, tags: ANY, posts: ANY, campaigns: ANY, ads: ANY };
  return {
    ad: (id) => current().content.ad(id),
    put(added) {
      check('put', added, { name: ANY, domains: ANY, timeZone: ANY, ...kinds });
      current().content.put(added);
    },
    remove(ids) {
      check('remove', ids, kinds);
      current().content.remove(ids);
    },
    visitAs(visitor) {
      check('visitAs', visitor, { ip: IP, origin: ORIGIN });
      const context = current();
      context.visitor = { ...context.visitor, ...visitor };
    },
  };
}

/** Reports requests that the contract does not allow, and what a test left behind; creates webhooks. */
function contractControls(
  current: () => WorldContext,
): Pick<World, 'assertOnContract' | 'forgive' | 'unfinished' | 'webhook'> {
  return {
    assertOnContract() {
      const { offContract } = current().journal;
      if (offContract.length > 0) throw new OffContractError(offContract);
    },
    forgive() {
      current().journal.offContract.length = 0;
    },
    unfinished: () => [
      ...pendingIn(current()),
      ...current().faults.flatMap(({ by, hits, text }) =>
        hits === 0 && by !== 'delay' ? [`${text} matched no request`] : [],
      ),
    ],
    async webhook(type: WebhookType, given: WebhookOptions = {}) {
      // Most tests send no webhook, and pages should not load code that they do not use.
      const { webhookRequest } = await import('./signing.ts');
      return webhookRequest(current(), type, given);
    },
  };
}

/** @throws Error for anything that is not a snapshot of this world */
function savedState(given: WorldState | undefined, name: string): SavedWorld {
  const state = given as SavedWorld | undefined;
  if (state?.world === name && state.content) return state;
  throw new Error(`restore: expected a snapshot of world ${name}; received one of ${state?.world}`);
}

/** The current content, counters, tokens, time and random state. */
const savedWorld = ({ name, content, tokens, clock, random, faultRandom }: WorldContext): SavedWorld => ({
  world: name,
  content: content.save(),
  tokens: [...tokens],
  now: clock.now(),
  random: random.save(),
  faultRandom: faultRandom.save(),
});

const abortPending = ({ end }: WorldContext): void =>
  end.abort(new DOMException('The world was reset, restored or dropped.', 'AbortError'));

/** The waiting requests, and the gates that hold requests or were never reached. */
function pendingIn({ clock, gates }: WorldContext): string[] {
  const { waiting } = clock;
  return [...(waiting > 0 ? [`responses waiting for world.clock.advance(): ${waiting}`] : []), ...gates.unfinished()];
}
