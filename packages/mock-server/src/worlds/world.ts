import type { DataOf, EndpointId, SnapshotBlogInput, WebhookType } from '@broadsheet/contract';
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
 * The options of a world; each has a default.
 *
 * @example
 * ```ts
 * const options: WorldOptions = { start: '2026-11-21T09:00:00Z', origin: 'https://site.example' };
 * const world = mock.world(options);
 * ```
 */
export interface WorldOptions {
  /** The name of the world, which also decides its key; numbered by default. */
  readonly name?: string;
  /** Decides the sample blog and every random choice; the seed of the mock by default. */
  readonly seed?: string | number;
  /** The blog, instead of the sample: content, or a blog with its id and keys, or a snapshot of one blog. */
  readonly blog?: WorldContent;
  /** The key, instead of the key of the blog or one generated from the name. */
  readonly apiKey?: string;
  /** The start of its clock; 1 January 2026, noon UTC by default. */
  readonly start?: number | string;
  /** `'virtual'` (default): time passes only when you advance it. `'real'`: it also passes with the wall clock. */
  readonly pace?: Pace;
  /** The visitor's IP address where the adapter does not know it; `192.0.2.1` by default. */
  readonly ip?: string;
  /** The page's origin where the adapter does not know it. */
  readonly origin?: string;
}

/**
 * Options of `world.webhook()`.
 *
 * @example
 * ```ts
 * const options: WebhookOptions = { id: 'post-1', url: 'http://localhost:3000/api/revalidate' };
 * ```
 */
export interface WebhookOptions {
  /** The post, or the category or tag, that changed. */
  readonly id?: string;
  /** The URL of the request; `https://app.test/webhook` by default. */
  readonly url?: string;
  /** A secret other than `world.webhookSecret`. */
  readonly secret?: string;
}

/**
 * The impressions and clicks of an ad in a world, and how many of the impressions were viewable.
 *
 * @example
 * ```ts
 * const { impressions, viewable, clicks }: AdCounts = world.ad(id);
 * ```
 */
export interface AdCounts {
  readonly impressions: number;
  readonly viewable: number;
  readonly clicks: number;
}

/**
 * The state of a world, saved by {@link World.snapshot}. In Node it can be written as JSON and restored in another
 * process.
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
 * A private copy of the API with its own key: blog, clock, faults, gates and journal. Worlds never interfere,
 * regardless of the adapter and of tests that run in parallel.
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
  /** The current blog, drafts included. */
  readonly blog: SnapshotBlogInput;
  /** Answers a request as this world, regardless of its key. A network error is a `TypeError`, as with `fetch`. */
  readonly fetch: typeof globalThis.fetch;

  /** Writes content: existing items get the given fields, new items are added. */
  put(content: ContentChange): void;
  /** Removes content by its ids; posts lose the removed categories and tags, and ads the removed campaigns. */
  remove(ids: ContentIds): void;
  /** Revokes the key and creates a new one, which `apiKey` and `connection` have from now on. */
  rotateKey(): string;
  /** Sets the visitor of later requests, where the adapter does not know it. */
  visitAs(visitor: { readonly ip?: string; readonly origin?: string }): void;

  /**
   * Makes an endpoint fail with a status of its contract. The body is on the contract; the call has no effect
   * unless `after` is set.
   *
   * @example
   * ```ts
   * world.fail('posts.get', 404);
   * world.fail('ads.click', 500, { after: true, times: 1 }); // counted, but the response is lost
   * ```
   */
  fail<T extends Target, S extends StatusOf<T>>(
    target: T,
    status: S,
    options?: FaultOptions<T> & { readonly code?: CodeWith<T, S>; readonly message?: string },
  ): Fault;
  /**
   * Changes the responses of an endpoint, by a function of the data or a JSON merge patch. A change that the contract
   * does not allow is an error, which the caller receives, unless `offContract` is set.
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
  /** Breaks responses in transit: see {@link Disruption}. */
  disrupt<T extends Target>(target: T, disruption: Disruption, options?: FaultOptions<T>): Fault;
  /**
   * Holds responses until the gate is released; `times` limits how many.
   *
   * @example
   * ```ts
   * const gate = world.hold('search');
   * await gate.arrived(); // the request has arrived, its response is held
   * gate.release();
   * ```
   */
  hold(target: Target, options?: { readonly times?: number }): Gate;
  /**
   * Gives each successive call its own outcome, then the usual responses.
   *
   * @example
   * ```ts
   * world.sequence('posts.list', [503, 'reset', 200, 500]);
   * ```
   */
  sequence<T extends Target>(target: T, steps: readonly SequenceStep<T>[]): Fault;
  /** Delays responses in the world's time, by a fixed duration or one drawn from a range; 0 ends the delay. */
  delay(target: Target, duration: Latency): void;
  /**
   * Makes the network to an endpoint, or to all of them, slow or unreliable; random choices come from the world's seed.
   *
   * @example
   * ```ts
   * const train = world.profile('slow-3g');
   * world.profile({ p: 0.1, status: 503 });
   * train.lift();
   * ```
   */
  profile(profile: ProfileName | Profile, target?: Target): Fault;
  /** Shows responses through a lens; `undefined` removes it. */
  lens(lens: Lens | undefined, target?: Target): void;

  /** Every call by endpoint, oldest first: `world.calls.search[0]?.query.q`. */
  readonly calls: Calls;
  /** Every call in order of arrival. */
  readonly journal: readonly JournalEntry[];
  /**
   * Creates a preview token, which opens a post of any status for 24 hours of the world's time.
   *
   * @throws Error for an unknown post
   * @example
   * ```ts
   * world.put({ posts: [{ id: 'draft', title: 'Soon', slug: 'soon', status: 'DRAFT' }] });
   * const post = await blog.preview(await world.preview('draft'));
   * ```
   */
  preview(id: string): Promise<string>;

  /** The secret by which {@link World.webhook} signs, for the configuration of the app under test. */
  readonly webhookSecret: string;
  /**
   * Creates the signed request that a server sends for an event, with the tags that the item has in this world. Call it
   * before you remove the item.
   *
   * @throws Error for an id that is not in the world
   * @example
   * ```ts
   * process.env.BROADSHEET_WEBHOOK_SECRET = world.webhookSecret;
   * const response = await POST(await world.webhook('post.published', { id: 'post-1' }));
   * ```
   */
  webhook(type: 'ads.changed', options?: WebhookOptions & { readonly id?: never }): Promise<Request>;
  webhook(
    type: Exclude<WebhookType, 'ads.changed'>,
    options: WebhookOptions & { readonly id: string },
  ): Promise<Request>;

  /** The impressions and clicks of an ad. @throws Error for an unknown ad */
  ad(id: string): AdCounts;
  /** The click tokens it issued. */
  readonly tokens: TokenBook;
  /** Requests that are off the contract: wrong values, unknown parameters and paths, missing content types. */
  readonly offContract: readonly OffContract[];
  /** @throws OffContractError when there was such a request */
  assertOnContract(): void;
  /** Forgets such requests, for tests that send them on purpose. */
  forgive(): void;

  /** What a test left behind: pending responses, and faults and gates that matched no request. */
  unfinished(): string[];
  /** Resets content, time, random state, faults, gates, lenses and journal. */
  reset(): void;
  /** Saves content, counters, tokens, time and random state. */
  snapshot(): WorldState;
  /**
   * Restores a snapshot of this world, or of a world of the same name in another process. Faults, gates, lenses and the
   * journal stay.
   *
   * @throws Error for anything that is not a snapshot of this world
   */
  restore(state: WorldState): void;
}
