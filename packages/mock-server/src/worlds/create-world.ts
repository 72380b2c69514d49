import type { Caller } from '@broadsheet/core';
import { EPOCH } from '../data/factory.ts';
import { createRandom } from '../data/random.ts';
import { sampleBlog } from '../data/sample-blog.ts';
import { fromFetch, type WorldRequest } from '../doors/answer.ts';
import { asFetch, pageOf } from '../doors/page.ts';
import { codeFor } from '../faults/code-for.ts';
import type { Target } from '../faults/fault.ts';
import { createFaultBook } from '../faults/fault-book.ts';
import { createGates } from '../faults/gates.ts';
import { createJournal } from '../journal/journal.ts';
import { type OffContract, OffContractError } from '../journal/off-contract.ts';
import { createTokenLedger, type LedgerState } from '../journal/token-ledger.ts';
import { createLensBook } from '../lenses/lens-book.ts';
import { anInstant, createClock } from '../time/clock.ts';
import { milliseconds } from '../time/duration.ts';
import { type ContentState, createContent } from './content.ts';
import { aDisruption, aLens, aTarget } from './known.ts';
import { answerInWorld } from './request-pipeline.ts';
import type { InnerWorld, WorldOptions, WorldState } from './world.ts';
import { createWorldApi } from './world-api.ts';

/** What a world gets from its mock. */
export interface Home {
  readonly baseUrl: string;
  /** What of it is path, without a slash at its end. */
  readonly basePath: string;
  readonly docsUrl: string;
  /** Makes requests with this key come to the world as well. */
  adopt(apiKey: string): void;
}

/** A {@link WorldState} as the world itself sees it. */
interface SavedWorld extends WorldState {
  readonly content: ContentState;
  readonly ledger: LedgerState;
  readonly now: number;
  readonly chance: number;
}

/** Creates a world; its mock brings it its requests. */
export function createWorld(
  options: WorldOptions & { readonly name: string; readonly seed: string },
  { baseUrl, basePath, docsUrl, adopt }: Home,
): InnerWorld {
  const { name, seed, ip = '192.0.2.1', origin } = options;
  const clock = createClock(anInstant(options.start ?? EPOCH), options.pace);
  const random = createRandom(`world ${seed}`);
  const ledger = createTokenLedger(clock);
  const content = createContent(name, options.blog ?? sampleBlog(seed), options.apiKey, clock);
  const journal = createJournal();
  const gates = createGates();
  const faults = createFaultBook();
  const lenses = createLensBook();
  const delays = new Map<Target, number>();
  let visitor: Caller = { ip, origin };
  let offContract: OffContract[] = [];

  const { store } = content;
  const pipeline = {
    ...{ basePath, docsUrl, clock, journal, gates, faults, lenses },
    ...createWorldApi(name, { clock, docsUrl, basePath, random, store, ledger }),
    latency: (endpoint: Target) => delays.get(endpoint) ?? delays.get('*') ?? 0,
    requestId: () => `req_${random.uuid()}`,
    report: (request: OffContract) => void offContract.push(request),
  };
  const answer = (request: WorldRequest, caller: Caller = {}) => {
    const forwarded = request.header('x-forwarded-for')?.split(',').at(-1)?.trim();
    const from = { ip: forwarded || caller.ip || visitor.ip, origin: visitor.origin ?? caller.origin };
    return answerInWorld(request, from, pipeline);
  };
  const snapshot = (): SavedWorld => ({
    ...{ world: name, content: content.save(), ledger: ledger.save(), now: clock.now(), chance: random.save() },
  });
  const restore = (saved: SavedWorld) => {
    if (saved?.world !== name)
      throw new Error(`world ${name}: the snapshot is of world ${saved?.world}; restore it there`);
    content.load(saved.content);
    ledger.load(saved.ledger);
    random.load(saved.chance);
    clock.set(saved.now);
  };
  const beginning = snapshot();

  return {
    name,
    clock,
    answer,
    rehearsal: pipeline.rehearsal,
    get apiKey() {
      return content.apiKey;
    },
    get connection() {
      return { baseUrl, apiKey: content.apiKey };
    },
    get blog() {
      return content.blog;
    },
    fetch: async (input, init) => asFetch(await answer(fromFetch(new Request(input, init)), pageOf())),

    put: content.put,
    rotateKey() {
      const apiKey = content.rotateKey();
      adopt(apiKey);
      return apiKey;
    },
    visitAs(next) {
      visitor = { ...visitor, ...next };
    },

    fail: (target, status, { code, message, ...rest } = {}) =>
      faults.add(target, { kind: 'failure', code: codeFor(aTarget(target), status, code), message }, rest),
    disrupt: (target, word, rest = {}) =>
      faults.add(aTarget(target), { kind: 'disruption', disruption: aDisruption(word) }, rest),
    hold: (target, { times = Number.POSITIVE_INFINITY } = {}) => gates.hold(aTarget(target), times),
    delay: (target, duration) => void delays.set(aTarget(target), milliseconds(duration)),
    lens: (lens, target = '*') => lenses.set(aTarget(target), aLens(lens)),

    calls: journal.calls,
    get journal() {
      return journal.all;
    },
    ad: content.ad,
    tokens: ledger.book,
    get offContract() {
      return offContract;
    },
    assertOnContract() {
      if (offContract.length > 0) throw new OffContractError(offContract);
    },
    forgive() {
      offContract = [];
    },

    reset() {
      faults.clear();
      lenses.clear();
      delays.clear();
      restore(beginning);
      gates.releaseAll();
      journal.clear();
      offContract = [];
      visitor = { ip, origin };
    },
    snapshot,
    restore: (state) => restore(state as SavedWorld),
  };
}
