import {
  type BodyOf,
  ENDPOINT_IDS,
  ENDPOINTS,
  type Endpoint,
  type EndpointId,
  type ErrorCode,
  type ParamsOf,
  type QueryOf,
} from '@broadsheet/contract';
import {
  type ApiCall,
  type Around,
  buffered,
  type CallResponse,
  type Clock,
  type EndpointCall,
} from '@broadsheet/core';
import { type BodyStream, bodyOf, requestOf } from '../doors/response.ts';
import { computed } from '../worlds/computed.ts';
import { type OffContract, requestProblems } from './off-contract.ts';

/** A request to a world, and its response. Values that the contract does not allow are `undefined`. */
export interface JournalEntry<Id extends EndpointId = EndpointId> {
  readonly endpoint: Id;
  readonly method: string;
  readonly url: string;
  readonly params: ParamsOf<Id>;
  /** The query as the API reads it, with defaults filled in. */
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  readonly headers: Readonly<Record<string, string>>;
  /** When it arrived, in the world's time. */
  readonly at: number;
  /** Status of the response; 0 when the connection broke, `undefined` while it is pending. */
  readonly status: number | undefined;
  /** The error code of the response. */
  readonly code: ErrorCode | undefined;
  /** The fault that was applied: a code of the contract, a transport fault or `answer`. */
  readonly fault: string | undefined;
  /**
   * The body of the response: its JSON, or else its text. `undefined` while the response is pending, for a body that
   * was cut off, and for all calls but the last 1,000.
   */
  readonly response: unknown;
}

/** The calls of a world by endpoint, oldest first. */
export type Calls = { readonly [Id in EndpointId]: readonly JournalEntry<Id>[] };

/** An entry while it is being written. */
export type OpenEntry = { -readonly [K in keyof JournalEntry]: JournalEntry[K] };

/** A mock that serves for days must not grow: beyond this many calls the older half is forgotten. */
const MAX_CALLS = 10_000;
/** The number of latest calls that keep the body of their response. */
const MAX_RESPONSES = 1000;

/**
 * The entries of pending calls. There is one map for all worlds, because ten thousand empty maps take more memory than
 * their entries.
 */
export const pending = new Map<ApiCall, OpenEntry>();
/** The latest responses, by entry: they are parsed when they are read, since most tests read few bodies. */
const responses = new WeakMap<object, CallResponse<BodyStream>>();
/** Errors in functions of the test, or in the mock itself, by request: the caller must see them instead of a 500. */
export const broken = new WeakMap<object, unknown>();

/** The requests a world has received. */
export class Journal {
  /** Every call to an endpoint, oldest first. */
  all: JournalEntry[] = [];
  /** The requests that are off the contract. */
  readonly offContract: OffContract[] = [];
  readonly #world: string;
  readonly #clock: Clock;

  constructor(world: string, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  get calls(): Calls {
    const callsOf = (id: EndpointId) => () => this.all.filter(({ endpoint }) => endpoint === id);
    // Each list holds only the calls of its endpoint, which the compiler cannot infer.
    return computed(Object.fromEntries(ENDPOINT_IDS.map((id) => [id, callsOf(id)]))) as object as Calls;
  }

  /** Records a call. Its entry is completed while the call is processed. */
  write(entry: OpenEntry): void {
    this.all.push(entry);
    const old = this.all.at(-1 - MAX_RESPONSES);
    if (old) responses.delete(old);
    if (this.all.length <= MAX_CALLS) return;
    this.all = this.all.slice(-MAX_CALLS / 2);
    console.warn(`world ${this.#world} forgot old calls`);
  }

  /** Records every call with its response, and reports requests that are off the contract. */
  readonly around: Around<BodyStream> = async (call, next) => {
    const body = takesBody(call) ? (await call.body()).value : undefined;
    const entry = call.endpoint && openEntry(call, body, this.#clock.now());
    if (entry) {
      this.write(entry);
      pending.set(call, entry);
    }
    const response = await next();
    pending.delete(call);
    // A caller that has given up gets no response, so none is recorded.
    if (requestOf(call).signal.aborted) return response;
    const { cause } = call.error?.details ?? {};
    if (cause) broken.set(call.request, cause);
    if (entry) {
      entry.status = response.status;
      entry.code = call.error?.code;
      responses.set(entry, response);
    }
    const problems = requestProblems(call, entry?.fault);
    const { method, url } = call.request;
    if (problems.length > 0) this.offContract.push({ method, url, problems });
    return response;
  };
}

const takesBody = (call: ApiCall): call is Exclude<ApiCall, { readonly endpoint: undefined }> =>
  call.endpoint !== undefined && (ENDPOINTS[call.endpoint] as Endpoint).body === 'required';

/** An entry as it is stored. Its response is parsed each time it is read. */
class StoredEntry {
  // On the prototype: an entry with a getter of its own takes more memory.
  get response(): unknown {
    const response = responses.get(this);
    return response && bodyOf(buffered(response));
  }

  toJSON(): object {
    return { ...this, response: this.response };
  }
}

/** A call with the values that the contract allows. All fields are set, so that all entries have the same shape. */
function openEntry(call: ApiCall, body: unknown, at: number): OpenEntry {
  const { method, url, headers } = requestOf(call);
  // Each endpoint has its own parts, and the endpoint is known only at run time.
  const { endpoint, params, query } = call as EndpointCall<'search'>;
  const fields = { endpoint, method, url, params: params.value, query: query.value, body, headers, at };
  const entry = Object.assign(new StoredEntry(), { ...fields, status: undefined, code: undefined, fault: undefined });
  return entry as object as OpenEntry;
}
