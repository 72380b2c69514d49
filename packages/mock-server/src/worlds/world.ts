import type { DataOf, EndpointId, SnapshotBlogInput } from '@broadsheet/contract';
import type { ContentChange, ContentIds, WorldContent } from '../data/sample-blog.ts';
import type {
  AnswerOptions,
  AnswerTo,
  CodeWith,
  Disruption,
  Fault,
  FaultOptions,
  Profile,
  ProfileName,
  SequenceStep,
  StatusOf,
  Target,
} from '../faults/fault.ts';
import type { Gate } from '../faults/gates.ts';
import type { Calls, JournalEntry } from '../journal/journal.ts';
import type { OffContract } from '../journal/off-contract.ts';
import type { TokenBook } from '../journal/token-ledger.ts';
import type { Lens } from '../lenses/lens.ts';
import type { Pace, WorldClock } from '../time/clock.ts';
import type { Latency } from '../time/duration.ts';

/**
 * What a world is made of; every part has a default.
 *
 * @example
 * ```ts
 * const options: WorldOptions = { start: '2026-11-21T09:00:00Z', origin: 'https://site.example' };
 * const world = mock.world(options);
 * ```
 */
export interface WorldOptions {
  /** Names the world and so its key; a number by default. */
  readonly name?: string;
  /** Decides the sample blog and every chance event; that of the mock by default. */
  readonly seed?: string | number;
  /** Its blog, instead of the sample: one with its id and keys keeps them, and a snapshot of one blog is one. */
  readonly blog?: WorldContent;
  /** Its key, instead of that of its blog, or of one made from its name. */
  readonly apiKey?: string;
  /** When it starts; 1 January 2026, noon UTC by default. */
  readonly start?: number | string;
  /** `'virtual'` (default): time moves when you say so. `'real'`: it flows, and can be pushed. */
  readonly pace?: Pace;
  /** The visitor's address where the door does not know it; `192.0.2.1` by default. */
  readonly ip?: string;
  /** The page's origin where the door does not know it. */
  readonly origin?: string;
}

/**
 * What an ad has earned in a world.
 *
 * @example
 * ```ts
 * const { impressions, clicks }: AdCounts = world.ad(id);
 * ```
 */
export interface AdCounts {
  readonly impressions: number;
  readonly clicks: number;
}

/**
 * A world put aside by {@link World.snapshot}. In Node `JSON.stringify` writes it down, and what is read again can be
 * restored in another process.
 *
 * @example
 * ```ts
 * const state: WorldState = world.snapshot();
 * const written = JSON.stringify(state);
 * world.restore(JSON.parse(written));
 * ```
 */
export interface WorldState {
  readonly world: string;
}

/**
 * A private copy of the API behind a key of its own: blog, clock, faults, gates and journal. Worlds never meet, whatever
 * door their requests come through and whatever runs beside them.
 *
 * @example
 * ```ts
 * const world: World = mock.world();
 * const blog = createClient({ ...world.connection, fetch: world.fetch });
 * ```
 */
export interface World {
  readonly name: string;
  readonly apiKey: string;
  /** What a client needs: `createClient({ ...world.connection, fetch: mock.fetch })`. */
  readonly connection: { readonly baseUrl: string; readonly apiKey: string };
  readonly clock: WorldClock;
  /** The blog as it stands: ids to ask for, drafts included. */
  readonly blog: SnapshotBlogInput;
  /** Answers a request as this world, whatever its key opens. A network error is a `TypeError`, as with `fetch`. */
  readonly fetch: typeof globalThis.fetch;

  /** Writes content: what has an id already gets the fields that are given, the rest is added. */
  put(content: ContentChange): void;
  /** Removes content by its ids; posts lose the removed categories and tags, and ads the removed campaigns. */
  remove(ids: ContentIds): void;
  /** Revokes the key and makes a new one, which `apiKey` and `connection` show from now on. */
  rotateKey(): string;
  /** Whose requests come from now on, where the door does not know it. */
  visitAs(visitor: { readonly ip?: string; readonly origin?: string }): void;

  /**
   * Makes an endpoint fail with a status of its contract. The body is the legal one; state does not change unless
   * `after` says so.
   *
   * @example
   * ```ts
   * world.fail('posts.get', 404);
   * world.fail('ads.click', 500, { after: true, times: 1 }); // counted, but the answer was lost
   * ```
   */
  fail<T extends Target, S extends StatusOf<T>>(
    target: T,
    status: S,
    options?: FaultOptions<T> & { readonly code?: CodeWith<T, S>; readonly message?: string },
  ): Fault;
  /**
   * Changes the answers of an endpoint: a function of its data, or a JSON merge patch. What the contract does not allow
   * is refused, and the caller receives that error, unless `offContract` says that it is meant.
   *
   * @example
   * ```ts
   * world.answer('tags.list', (tags) => tags.slice(0, 2));
   * world.answer('posts.get', { title: 'Short' }, { id: 'post-1', times: 1 });
   * world.answer('search', () => 'Bad gateway', { offContract: true, status: 502 });
   * ```
   */
  answer<Id extends EndpointId>(
    endpoint: Id,
    change: AnswerTo<Id>,
    options?: AnswerOptions<Id> & { readonly offContract?: false; readonly status?: never; readonly headers?: never },
  ): Fault;
  answer<Id extends EndpointId>(
    endpoint: Id,
    change: ((data: DataOf<Id>, call: JournalEntry<Id>) => unknown) | object | string,
    options: AnswerOptions<Id> & { readonly offContract: true },
  ): Fault;
  /** Breaks answers below the API: see {@link Disruption}. */
  disrupt<T extends Target>(target: T, disruption: Disruption, options?: FaultOptions<T>): Fault;
  /**
   * Holds answers until the gate is released; `times` limits how many.
   *
   * @example
   * ```ts
   * const gate = world.hold('search');
   * await gate.arrived(); // the request is here, its answer is not yet on its way
   * gate.release();
   * ```
   */
  hold(target: Target, options?: { readonly times?: number }): Gate;
  /**
   * Answers one call after the other differently, then as usual.
   *
   * @example
   * ```ts
   * world.sequence('posts.list', [503, 'reset', 200, 500]);
   * ```
   */
  sequence<T extends Target>(target: T, steps: readonly SequenceStep<T>[]): Fault;
  /** Delays answers in the world's time, or by a time between two, drawn from its seed; 0 ends it. */
  delay(target: Target, duration: Latency): void;
  /**
   * Makes the network to an endpoint, or to all of them, slow or unreliable; what is drawn comes from the world's seed.
   *
   * @example
   * ```ts
   * const train = world.profile('slow-3g');
   * world.profile({ p: 0.1, status: 503 });
   * train.lift();
   * ```
   */
  profile(profile: ProfileName | Profile, target?: Target): Fault;
  /** Shows answers through a lens; `undefined` takes it away. */
  lens(lens: Lens | undefined, target?: Target): void;

  /** Every call by endpoint, oldest first: `world.calls.search[0]?.query.q`. */
  readonly calls: Calls;
  /** Every call in the order it came. */
  readonly journal: readonly JournalEntry[];
  /** What an ad has earned. @throws Error when there is no such ad */
  ad(id: string): AdCounts;
  /** The click tokens it gave out. */
  readonly tokens: TokenBook;
  /** Requests the contract does not know: wrong values, unknown parameters and paths, missing content types. */
  readonly offContract: readonly OffContract[];
  /** @throws OffContractError when there was such a request */
  assertOnContract(): void;
  /** Forgets such requests, for tests that send them on purpose. */
  forgive(): void;

  /** What a test has left: answers that wait for a gate or for time, and faults that met no request. */
  unfinished(): string[];
  /** Back to the beginning: content, time, chance, faults, gates, lenses and journal. */
  reset(): void;
  /** Content, counters, tokens, time and chance as they are now. */
  snapshot(): WorldState;
  /**
   * Goes back to a snapshot of this world, or of one of the same name in another process. Faults, gates, lenses and the journal stay.
   *
   * @throws Error for what is no snapshot of it
   */
  restore(state: WorldState): void;
}
