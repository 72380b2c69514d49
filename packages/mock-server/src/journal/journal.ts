import {
  type BodyOf,
  ENDPOINT_IDS,
  type EndpointId,
  type ErrorCode,
  type ParamsOf,
  type QueryOf,
} from '@broadsheet/contract';
import type { ApiCall } from '@broadsheet/core';

/**
 * A request as a world received it, and what it answered. Values that do not pass the contract are `undefined`.
 *
 * @example
 * ```ts
 * const slow = ({ at, status }: JournalEntry) => status === undefined && world.clock.now() - at > 1000;
 * const late = world.journal.filter(slow);
 * ```
 */
export interface JournalEntry<Id extends EndpointId = EndpointId> {
  readonly endpoint: Id;
  readonly method: string;
  readonly url: string;
  readonly params: ParamsOf<Id>;
  /** The query as the API reads it, defaults filled in. */
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  readonly headers: Readonly<Record<string, string>>;
  /** When it came, in the world's time. */
  readonly at: number;
  /** Status of the answer; 0 when the connection broke, `undefined` while it is on its way. */
  readonly status: number | undefined;
  /** The error code of the answer. */
  readonly code: ErrorCode | undefined;
  /** The fault that was applied: a code of the contract or a disruption. */
  readonly fault: string | undefined;
  /**
   * The body of the answer: its JSON, or else its text. `undefined` while the answer is on its way, for a body that broke
   * off, and for all calls but the last 1,000.
   */
  readonly response: unknown;
}

/**
 * The calls of a world by endpoint, oldest first.
 *
 * @example
 * ```ts
 * const { search }: Calls = world.calls;
 * expect(search.at(-1)?.query.q).toBe('night');
 * ```
 */
export type Calls = { readonly [Id in EndpointId]: readonly JournalEntry<Id>[] };

/** An entry while it is being written. */
export type OpenEntry = { -readonly [K in keyof JournalEntry]: JournalEntry[K] };

/** A mock that serves for days must not grow: beyond this many calls the older half is forgotten. */
const MAX_CALLS = 10_000;
/** So many of the last calls keep the body of their answer. */
const MAX_RESPONSES = 1000;

// One for all worlds: a call is of one of them, and ten thousand empty tables weigh more than what is in them.
const entries = new WeakMap<ApiCall, OpenEntry>();
/** By its request, what failed in a function of the test or in the mock itself: the caller must see it, not a made-up 500. */
export const broken = new WeakMap<object, unknown>();

/** The requests a world has received. */
export class Journal {
  /** Every call to an endpoint, oldest first. */
  all: JournalEntry[] = [];
  readonly #world: string;
  #calls: Calls | undefined;

  constructor(world: string) {
    this.#world = world;
  }

  get calls(): Calls {
    // Each holds the calls of its endpoint alone, which the compiler cannot follow.
    this.#calls ??= lists(ENDPOINT_IDS, (id) => this.all.filter(({ endpoint }) => endpoint === id)) as Calls;
    return this.#calls;
  }

  /** Writes a call down. Its entry is filled in by what the call meets on its way. */
  write(call: ApiCall, entry: OpenEntry): void {
    entries.set(call, entry);
    this.all.push(entry);
    const old = this.all.at(-1 - MAX_RESPONSES);
    if (old) Object.defineProperty(old, 'response', { value: undefined });
    if (this.all.length <= MAX_CALLS) return;
    this.all = this.all.slice(-MAX_CALLS / 2);
    console.warn(`world ${this.#world} forgot old calls`);
  }

  /** The entry of a call on its way. */
  entryOf(call: ApiCall): OpenEntry | undefined {
    return entries.get(call);
  }
}

/** An object of lists, each made when it is read: most are never looked at. */
export function lists<Name extends string, Item>(
  names: readonly Name[],
  listOf: (name: Name) => readonly Item[],
): { readonly [N in Name]: readonly Item[] } {
  const all = {} as { readonly [N in Name]: readonly Item[] };
  for (const name of names) Object.defineProperty(all, name, { enumerable: true, get: () => listOf(name) });
  return all;
}
