import type { ErrorCode } from '@broadsheet/contract';
import { type Around, buffered, type Caller, Failure } from '@broadsheet/core';
import { EPOCH } from '../data/factory.ts';
import { createRandom } from '../data/random.ts';
import { sampleBlog } from '../data/sample-blog.ts';
import { type BodyStream, fromFetch, requestOf, type WorldAnswer, type WorldRequest } from '../doors/answer.ts';
import { asFetch, pageOf } from '../doors/page.ts';
import type { Fault, FaultOptions, Target } from '../faults/fault.ts';
import { createFaultBook } from '../faults/fault-book.ts';
import { createGates } from '../faults/gates.ts';
import { createJournal } from '../journal/journal.ts';
import { journalled } from '../journal/journalled.ts';
import { type OffContract, OffContractError } from '../journal/off-contract.ts';
import { createTokenLedger, type LedgerState } from '../journal/token-ledger.ts';
import { createLensBook } from '../lenses/lens-book.ts';
import { anInstant, createClock } from '../time/clock.ts';
import { drawn, type Latency } from '../time/duration.ts';
import type * as checks from './checks.ts';
import { type ContentState, createContent } from './content.ts';
import type { InnerWorld, WorldOptions, WorldState } from './world.ts';
import { createWorldApi } from './world-api.ts';

/** The checks of what callers give, which a page loads late. */
export type Checks = typeof checks;

/** What a world gets from its mock. */
export interface Home {
  readonly baseUrl: string;
  /** What of it is path, without a slash at its end. */
  readonly basePath: string;
  readonly docsUrl: string;
  readonly check: Checks;
  /** Makes requests with this key come to the world as well. */
  adopt(apiKey: string): void;
}

/** A {@link WorldState} as the world itself sees it. */
interface SavedWorld extends WorldState {
  readonly content: ContentState;
  readonly ledger: LedgerState;
  readonly now: number;
  readonly chance: number;
  readonly luck: number;
}

/** Creates a world; its mock brings it its requests. */
export function createWorld(
  options: WorldOptions & { readonly name: string; readonly seed: string },
  { baseUrl, basePath, docsUrl, check, adopt }: Home,
): InnerWorld {
  const { name, seed, ip = '192.0.2.1', origin } = options;
  const clock = createClock(anInstant(options.start ?? EPOCH), options.pace);
  const random = createRandom(`world ${seed}`);
  // Its own sequence, so that data stays the same whatever fails.
  const luck = createRandom(`luck ${seed}`);
  const ledger = createTokenLedger(clock);
  const content = createContent(name, options.blog ?? sampleBlog(seed), options.apiKey, clock);
  const journal = createJournal();
  const gates = createGates();
  const faults = createFaultBook();
  const lenses = createLensBook();
  const delays = new Map<Target, Latency>();
  const networks = new Map<Target, Fault>();
  let visitor: Caller = { ip, origin };
  let offContract: OffContract[] = [];

  const { store } = content;
  const gated: Around<BodyStream> = async (call, next) => {
    if (!call.endpoint) return next();
    const { signal } = requestOf(call);
    await gates.pass(call.endpoint, signal);
    await clock.sleep(drawn(delays.get(call.endpoint) ?? delays.get('*') ?? 0, luck), signal);
    return next();
  };
  const faulty: Around<BodyStream> = async (call, next) => {
    const entry = journal.entryOf(call);
    if (!entry || faults.rules.length === 0) return next();
    // Loaded by those who set faults; what a page has already is handed over, not loaded twice.
    const { applyFault } = await import('../faults/apply-fault.ts');
    return applyFault(
      faults.rules,
      { call, signal: requestOf(call).signal, entry, next },
      { clock, chance: luck, drawn, rehearsal, Failure, buffered },
    );
  };
  /** What failed in a function of the test, or in the mock itself: the caller must see it, and not a made-up 500. */
  const broken = new WeakMap<object, unknown>();
  const exposed: Around<BodyStream> = async (call, next) => {
    const answer = await next();
    const cause = call.failure?.details.cause;
    if (cause !== undefined) broken.set(call.request, cause);
    return answer;
  };
  const report = (request: OffContract) => void offContract.push(request);
  const around = [exposed, journalled(journal, clock, report), gated, faulty, lenses.render, ledger.watch];
  const { api, rehearsal } = createWorldApi(name, { clock, docsUrl, basePath, random, store, around });
  const answer = async (request: WorldRequest, caller: Caller = {}): Promise<WorldAnswer> => {
    const forwarded = request.header('x-forwarded-for')?.split(',').at(-1)?.trim();
    const from = { ip: forwarded || caller.ip || visitor.ip, origin: visitor.origin ?? caller.origin };
    const given = await api.answer(request, from);
    request.signal.throwIfAborted();
    if (broken.has(request)) throw broken.get(request);
    return given;
  };
  const snapshot = (): SavedWorld => ({
    world: name,
    content: content.save(),
    ledger: ledger.save(),
    now: clock.now(),
    chance: random.save(),
    luck: luck.save(),
  });
  const restore = (saved: SavedWorld) => {
    if (saved?.world !== name)
      throw new Error(`world ${name}: the snapshot is of world ${saved?.world}; restore takes what snapshot() gave`);
    content.load(saved.content);
    ledger.load(saved.ledger);
    random.load(saved.chance);
    luck.load(saved.luck);
    clock.set(saved.now);
  };
  const waiting = (): string[] => [
    ...(clock.waiting > 0 ? [`${clock.waiting} answer(s) wait for world.clock.advance()`] : []),
    ...gates.holding(),
  ];
  const beginning = snapshot();

  return {
    name,
    clock,
    answer,
    rehearsal,
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

    put(added) {
      check.put(added);
      content.put(added);
    },
    rotateKey() {
      const apiKey = content.rotateKey();
      adopt(apiKey);
      return apiKey;
    },
    visitAs(next) {
      check.visitor(next);
      visitor = { ...visitor, ...next };
    },

    fail(target, status, options = {}) {
      // Calls of another endpoint never come to it.
      const { code, message, ...rest } = options as object as FaultOptions & { code?: ErrorCode; message?: string };
      check.fail(target, status, options as object);
      return faults.add(target, [{ status, code, message }], rest);
    },
    disrupt(target, disruption, options = {}) {
      check.disrupt(target, disruption, options as object);
      return faults.add(target, [{ disruption }], options as object);
    },
    sequence(target, steps) {
      check.sequence(target, steps);
      const effects = steps.map((step) => ({ [typeof step === 'number' ? 'status' : 'disruption']: step }));
      return faults.add(target, effects, { times: steps.length });
    },
    profile(profile, target = '*') {
      check.profile(profile, target);
      networks.get(target)?.lift();
      const network = faults.add(target, [{ profile }], {});
      networks.set(target, network);
      return network;
    },
    hold(target, options = {}) {
      check.hold(target, options);
      return gates.hold(target, options.times);
    },
    delay(target, duration) {
      check.target(target);
      drawn(duration, luck);
      delays.set(target, duration);
    },
    lens(lens, target = '*') {
      check.lens(lens, target);
      lenses.set(target, lens);
    },

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

    unfinished: () => [...waiting(), ...faults.unmet().map((fault) => `${fault} met no request`)],

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
    close() {
      const left = waiting();
      gates.releaseAll();
      clock.set(clock.now());
      return left;
    },
    snapshot,
    restore: (state) => restore(state as SavedWorld),
  };
}
