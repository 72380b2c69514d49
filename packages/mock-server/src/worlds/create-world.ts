import type { ErrorCode } from '@broadsheet/contract';
import { type AnswerCache, ApiError, type Around, buffered, type Caller } from '@broadsheet/core';
import { EPOCH } from '../data/factory.ts';
import { createRandom } from '../data/random.ts';
import type { BlogContent } from '../data/sample-blog.ts';
import { type BodyStream, fromFetch, requestOf, type WorldAnswer, type WorldRequest } from '../doors/answer.ts';
import { asFetch, pageOf } from '../doors/page.ts';
import type { FaultOptions } from '../faults/fault.ts';
import { createFaultBook } from '../faults/fault-book.ts';
import { createGates } from '../faults/gates.ts';
import { createJournal } from '../journal/journal.ts';
import { journalled } from '../journal/journalled.ts';
import { type OffContract, OffContractError } from '../journal/off-contract.ts';
import { createTokenLedger, type LedgerState } from '../journal/token-ledger.ts';
import { createLensBook } from '../lenses/lens-book.ts';
import { anInstant, createClock } from '../time/clock.ts';
import { milliseconds } from '../time/duration.ts';
import type * as checks from './checks.ts';
import { type ContentState, createContent } from './content.ts';
import type { InnerWorld, WorldOptions, WorldState } from './world.ts';
import { createWorldApi, type WorldApi } from './world-api.ts';
import type * as writtenContent from './written-content.ts';
import type { WrittenContent } from './written-content.ts';

/** The checks of what callers give, which a page loads late. */
export type Checks = typeof checks;

/** How a state becomes JSON and JSON a state. */
export type Written = typeof writtenContent;

/** What a world gets from its mock. */
export interface Home {
  readonly baseUrl: string;
  /** What of it is path, without a slash at its end. */
  readonly basePath: string;
  readonly docsUrl: string;
  readonly check: Checks;
  readonly written: Written;
  /** The sample blog of a seed. */
  sample(seed: string): BlogContent;
  /** A part of the mock's cache of answers, where it has one. */
  cache?: (() => AnswerCache) | undefined;
  /** Makes requests with this key come to the world as well. */
  adopt(apiKey: string): void;
}

/** A {@link WorldState} as the world itself sees it. */
interface SavedWorld extends WorldState {
  readonly content: ContentState;
  readonly tokens: LedgerState;
  readonly now: number;
  readonly chance: number;
  readonly luck: number;
  toJSON(): WrittenWorld;
}

/** The same as JSON. */
interface WrittenWorld extends Omit<SavedWorld, 'content' | 'toJSON'> {
  readonly content: WrittenContent;
}

/** Creates a world; its mock brings it its requests. */
export function createWorld(
  options: WorldOptions & { readonly name: string; readonly seed: string },
  { baseUrl, basePath, docsUrl, check, written, sample, cache, adopt }: Home,
): InnerWorld {
  const { name, seed, ip = '192.0.2.1', origin } = options;
  const clock = createClock(anInstant(options.start ?? EPOCH), options.pace);
  const random = createRandom(`world ${seed}`);
  // Its own sequence, so that data stays the same whatever fails.
  const luck = createRandom(`luck ${seed}`);
  const ledger = createTokenLedger(clock);
  const content = createContent(name, options.blog ?? sample(seed), options.apiKey, clock);
  const journal = createJournal(name);
  const gates = createGates();
  const faults = createFaultBook();
  const lenses = createLensBook();
  let visitor: Caller = { ip, origin };
  let offContract: OffContract[] = [];

  const { store } = content;
  /** The API with what surrounds its calls; made for the first request, since many worlds never get one. */
  const open = (): WorldApi => {
    const gated: Around<BodyStream> = async (call, next) => {
      if (call.endpoint) await gates.pass(call.endpoint, requestOf(call).signal);
      return next();
    };
    const faulty: Around<BodyStream> = async (call, next) => {
      const entry = journal.entryOf(call);
      if (!entry || faults.rules().length === 0) return next();
      // Loaded by those who set faults; what a page has already is handed over, not loaded twice.
      const { applyFault } = await import('../faults/apply-fault.ts');
      return applyFault(
        faults.rules(),
        { call, signal: requestOf(call).signal, entry, next },
        { clock, chance: luck, rehearsal: () => engine().rehearsal(), milliseconds, ApiError, buffered },
      );
    };
    const report = (request: OffContract) => void offContract.push(request);
    const around = [journalled(journal, clock, report), gated, faulty, lenses.render, ledger.watch];
    return createWorldApi(name, { clock, docsUrl, basePath, random, store, around, cache: cache?.() });
  };
  let opened: WorldApi | undefined;
  const engine = (): WorldApi => {
    opened ??= open();
    return opened;
  };
  const answer = async (request: WorldRequest, caller: Caller = {}): Promise<WorldAnswer> => {
    const forwarded = request.header('x-forwarded-for')?.split(',').at(-1)?.trim();
    const from = { ip: forwarded || caller.ip || visitor.ip, origin: visitor.origin ?? caller.origin };
    const given = await engine().api.answer(request, from);
    request.signal.throwIfAborted();
    if (journal.broken.has(request)) throw journal.broken.get(request);
    return given;
  };
  const snapshot = (): SavedWorld => {
    const saved = { world: name, now: clock.now(), chance: random.save(), luck: luck.save() };
    const [state, tokens] = [content.save(), ledger.save()];
    // Only what is written down has to be taken apart.
    const toJSON = (): WrittenWorld => ({ ...saved, content: written.write(state), tokens });
    return { ...saved, content: state, tokens, toJSON };
  };
  const restore = (given: SavedWorld | WrittenWorld) => {
    if (given?.world !== name || !given.content)
      throw new Error(`world ${name}: the snapshot is of world ${given?.world}; restore takes what snapshot() gave`);
    content.load('store' in given.content ? given.content : written.read(given.content, given.now));
    ledger.load(given.tokens);
    random.load(given.chance);
    luck.load(given.luck);
    clock.set(given.now);
    for (const key of content.keys()) adopt(key);
  };
  const waiting = (): string[] => {
    const held = gates.left();
    return clock.waiting > 0 ? [`${clock.waiting} answer(s) wait for world.clock.advance()`, ...held] : held;
  };
  const beginning = snapshot();

  const world: InnerWorld = {
    name,
    clock,
    answer,
    rehearsal: () => engine().rehearsal(),
    books: { faults, gates, lenses },
    get apiKey() {
      return content.apiKey();
    },
    get keys() {
      return content.keys();
    },
    get connection() {
      return { baseUrl, apiKey: content.apiKey() };
    },
    get blog() {
      return content.blog();
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
      if (typeof profile === 'object') [profile.latency ?? 0].flat().map(milliseconds);
      return faults.add(target, [{ profile }], {});
    },
    hold(target, options = {}) {
      check.hold(target, options);
      return gates.hold(target, options.times);
    },
    delay: (target, latency) => void world.profile({ latency }, target),
    lens(lens, target = '*') {
      check.lens(lens, target);
      lenses.set(target, lens);
    },

    get calls() {
      return journal.calls();
    },
    get journal() {
      return journal.all();
    },
    ad: content.ad,
    get tokens() {
      return ledger.book();
    },
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
  return world;
}
