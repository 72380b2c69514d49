import { type ApiCall, type Around, buffered, type EndpointCall } from '@broadsheet/core';
import { type BodyStream, bodyOf, requestOf } from '../doors/answer.ts';
import type { WorldContext } from '../worlds/world-context.ts';
import { broken, type OpenEntry } from './journal.ts';

/** Records every call in the journal, and reports requests that are off the contract. */
export function journalled(context: WorldContext): Around<BodyStream> {
  const { journal, clock } = context;
  return async (call, next) => {
    const { method, url, signal } = requestOf(call);
    const entry = call.endpoint && (await openEntry(call, clock.now()));
    if (entry) journal.write(call, entry);
    const answer = await next();
    // A caller that has given up gets no response, so none is recorded.
    if (signal.aborted) return answer;
    const { cause } = call.error?.details ?? {};
    if (cause) broken.set(call.request, cause);
    if (entry) {
      Object.assign(entry, { status: answer.status, code: call.error?.code });
      // Parsed on first access: most tests read few bodies.
      Object.defineProperty(entry, 'response', { get: () => bodyOf(buffered(answer)) });
    }
    if (call.isBeacon || (entry && !MAY_BE_OFF.includes(answer.status) && !hasMore(call.url.searchParams, entry.query)))
      return answer;
    // Most requests are on the contract; the code that reports the others is loaded on demand.
    const { problemsOf } = await import('../lenses/late.ts');
    const problems = problemsOf(call, entry);
    if (problems.length > 0) context.offContract.push({ method, url, problems });
    return answer;
  };
}

/** The statuses that a request off the contract may get. */
const MAY_BE_OFF = [400, 413, 415];

/** Whether a query has parameters that were not read. */
const hasMore = (sent: URLSearchParams, read: object | undefined): boolean =>
  [...sent.keys()].some((name) => !(name in Object(read)));

/** A call with the values that the contract allows. All fields are set, so that all entries have the same shape. */
async function openEntry(call: ApiCall, at: number): Promise<OpenEntry> {
  const { method, url, headers } = requestOf(call);
  // Each endpoint has its own parts, and the endpoint is known only at run time.
  const known = call as EndpointCall<'search'>;
  const { endpoint, params, query } = known;
  return {
    endpoint,
    method,
    url,
    params: params.value,
    query: query.value,
    body: (await known.body()).value,
    headers,
    at,
    status: undefined,
    code: undefined,
    fault: undefined,
    response: undefined,
  } as OpenEntry;
}
