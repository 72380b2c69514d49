import type { DataOf, EndpointId, SnapshotBlogInput, WebhookType } from '@broadsheet/contract';
import type { ContentChange, ContentIds, WorldContent } from '../data/sample-blog.ts';
import type {
  AnswerOptions,
  AnswerTo,
  CodeWith,
  Delay,
  Failure,
  Fault,
  FaultOptions,
  FaultTarget,
} from '../faults/fault.ts';
import type { Gate } from '../faults/gates.ts';
import type { Calls, JournalEntry } from '../journal/journal.ts';
import type { OffContract } from '../journal/off-contract.ts';
import type { IssuedTokens } from '../journal/tokens.ts';
import type { Lens } from '../lenses/lens.ts';
import type { Pace, WorldClock } from '../time/clock.ts';

/** The options of a world; each has a default. */
export interface WorldOptions {
  /** The name of the world, which also decides its key; numbered by default. */
  readonly name?: string;
  /** Decides the sample blog and every random choice; the seed of the mock by default. */
  readonly seed?: string | number;
  /** The blog, instead of the sample: content, or a blog with its id and keys, or a snapshot of one blog. */
  readonly blog?: WorldContent;
  /** The key, instead of the keys of the blog or one generated from the name. */
  readonly apiKey?: string;
  /** The start of its clock; 1 January 2026, noon UTC by default. */
  readonly start?: number | string;
  /** `'virtual'` (default): time passes only when you advance it. `'real'`: it also passes with the wall clock. */
  readonly pace?: Pace;
  /** The visitor's IP address, for requests without `X-Forwarded-For`; by default the IP address of the connection. */
  readonly ip?: string;
  /** The origin of requests without `Origin`; by default the current page's origin, if the adapter knows it. */
  readonly origin?: string;
}

/** Options of `world.webhook()`. */
export interface WebhookOptions {
  /** The post, or the category or tag, that changed. */
  readonly id?: string;
  /** The URL of the request; `https://app.test/webhook` by default. */
  readonly url?: string;
  /** A secret other than `world.webhookSecret`. */
  readonly secret?: string;
}

/** The impressions and clicks of an ad in a world, and how many of the impressions were viewable. */
export interface AdCounts {
  readonly impressions: number;
  readonly viewable: number;
  readonly clicks: number;
}

/** The state of a world, saved by `snapshot()`. It can be written as JSON and restored in another process. */
export interface WorldState {
  readonly world: string;
}

/** The options for a client: `createClient({ ...world.connection, fetch: mock.fetch })`. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The place in which the code that controls a world runs: the process of its mock, or another process. */
export type Place = 'here' | 'remote';

/** A result as the calling code gets it: in another process, it is a promise. */
export type At<P extends Place, Result> = P extends 'here'
  ? Result
  : Promise<Result extends Fault | Gate ? Remote<Result> : Awaited<Result>>;

/** An object in the process of the mock, as another process uses it: each value and each result is a promise. */
export type Remote<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Arguments) => infer Result
    ? (...args: Arguments) => Promise<Awaited<Result>>
    : Promise<T[Name]>;
};

/** The members that control and show a world, in the process of its mock and in any other. */
export interface WorldControls<P extends Place> {
  /** The current blog, drafts included. */
  readonly blog: At<P, SnapshotBlogInput>;
  /** Writes content: existing items get the given fields and a new `updatedAt`, new items are added. */
  put(content: ContentChange): At<P, void>;
  /** Removes content by its ids; posts lose the removed categories and tags, and ads the removed campaigns. */
  remove(ids: ContentIds): At<P, void>;
  /** Sets the visitor of later requests; their headers `X-Forwarded-For` and `Origin` take precedence. */
  visitAs(visitor: { readonly ip?: string; readonly origin?: string }): At<P, void>;

  /**
   * Makes calls fail with a status of their contract, or in transit (see {@link TRANSPORT_FAULTS}). A list gives each
   * successive call its own outcome, 200 for the usual response. A call that fails has no effect unless `after` is set.
   */
  fail<T extends FaultTarget, const F extends Failure<T> | readonly (Failure<T> | 200)[]>(
    target: T,
    failure: F,
    options?: FaultOptions<T> & { readonly code?: CodeWith<T, F>; readonly message?: string },
  ): At<P, Fault>;
  /**
   * Changes the responses of an endpoint, by a function of the data or a JSON merge patch. A change that the contract
   * does not allow is an error, which the caller receives, unless `offContract` is set.
   */
  answer<Id extends EndpointId>(
    endpoint: Id,
    change: AnswerTo<Id>,
    options?: AnswerOptions<Id> & { readonly offContract?: false; readonly status?: never; readonly headers?: never },
  ): At<P, Fault>;
  answer<Id extends EndpointId>(
    endpoint: Id,
    change: ((data: DataOf<Id>, call: JournalEntry<Id>) => unknown) | object | string,
    options: AnswerOptions<Id> & { readonly offContract: true },
  ): At<P, Fault>;
  /**
   * Delays responses in the world's time. The latest delay that matches a call applies; a delay of 0 ends earlier ones.
   */
  delay(target: FaultTarget, delay: Delay): At<P, Fault>;
  /**
   * Holds responses until the gate is released; `times` limits how many.
   */
  hold(target: FaultTarget, options?: { readonly times?: number }): At<P, Gate>;
  /** Shows responses through a lens; `undefined` removes it. */
  lens(lens: Lens | undefined, target?: FaultTarget): At<P, void>;

  /** Every call by endpoint, oldest first: `world.calls.search[0]?.query.q`. */
  readonly calls: At<P, Calls>;
  /** Every call in order of arrival. */
  readonly journal: At<P, readonly JournalEntry[]>;
  /** The impressions and clicks of an ad. @throws Error for an unknown ad */
  ad(id: string): At<P, AdCounts>;
  /** The click tokens it issued. */
  readonly tokens: At<P, IssuedTokens>;
  /**
   * Creates a preview token, which opens a post of any status for 24 hours of the world's time.
   *
   * @throws Error for an unknown post
   */
  preview(id: string): Promise<string>;
  /**
   * Creates the signed request that a server sends for an event, with the tags that the item has in this world. Call it
   * before you remove the item.
   *
   * @throws Error for an id that is not in the world
   */
  webhook(type: 'ads.changed' | 'ping', options?: WebhookOptions & { readonly id?: never }): Promise<Request>;
  webhook(
    type: Exclude<WebhookType, 'ads.changed' | 'ping'>,
    options: WebhookOptions & { readonly id: string },
  ): Promise<Request>;

  /** Requests that are off the contract: wrong values, unknown parameters and paths, missing content types. */
  readonly offContract: At<P, readonly OffContract[]>;
  /** @throws OffContractError when there was a request off the contract */
  assertOnContract(): At<P, void>;
  /** Forgets requests off the contract, for tests that send them on purpose. */
  forgive(): At<P, void>;
  /** The things that a test left unfinished: pending responses, and faults and gates that matched no request. */
  unfinished(): At<P, string[]>;
  /**
   * Resets the world to its initial state: content, time, random state, faults, gates, lenses and journal. Requests
   * that are pending are aborted first, and have no effect.
   */
  reset(): At<P, void>;
  /** Saves content, counters, tokens, time and random state. */
  snapshot(): At<P, WorldState>;
  /**
   * Restores a snapshot of this world, or of a world of the same name in another process. Requests that are pending are
   * aborted first. Faults, gates, lenses and the journal stay.
   *
   * @throws Error for anything that is not a snapshot of this world
   */
  restore(state: WorldState): At<P, void>;
}

/**
 * A private copy of the API with its own key: blog, clock, faults, gates and journal. Worlds never interfere,
 * regardless of the adapter, even if tests run in parallel.
 */
export interface World extends WorldControls<'here'> {
  readonly name: string;
  readonly apiKey: string;
  readonly connection: Connection;
  readonly clock: WorldClock;
  /** The secret by which {@link WorldControls.webhook} signs, for the configuration of the app under test. */
  readonly webhookSecret: string;
  /** Handles a request as this world, regardless of its key. A network error is a `TypeError`, as with `fetch`. */
  readonly fetch: typeof globalThis.fetch;
}
