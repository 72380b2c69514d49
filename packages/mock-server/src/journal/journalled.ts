import { type ApiCall, type Around, buffered, type EndpointCall } from '@broadsheet/core';
import { type BodyStream, bodyOf, requestOf } from '../doors/answer.ts';
import type { WorldContext } from '../worlds/world-context.ts';
import { broken, type OpenEntry } from './journal.ts';

/** Writes every call into the journal, and reports those that the contract does not know. */
export function journalled(context: WorldContext): Around<BodyStream> {
  const { journal, clock } = context;
  return async (call, next) => {
    const { method, url, signal } = requestOf(call);
    const entry = call.endpoint && (await openEntry(call, clock.now()));
    if (entry) journal.write(call, entry);
    const answer = await next();
    // Who has given up gets no answer, so none is written down.
    if (signal.aborted) return answer;
    const { cause } = call.error?.details ?? {};
    if (cause) broken.set(call.request, cause);
    if (entry) {
      Object.assign(entry, { status: answer.status, code: call.error?.code });
      // Read when somebody asks: most tests look at few bodies.
      Object.defineProperty(entry, 'response', { get: () => bodyOf(buffered(answer)) });
    }
    if (entry && !MAY_BE_OFF.includes(answer.status) && !hasMore(call.url.searchParams, entry.query)) return answer;
    // Most requests are on the contract; what is reported of the others is loaded for them.
    const { problemsOf } = await import('../lenses/late.ts');
    const problems = problemsOf(call, entry);
    if (problems.length > 0) context.offContract.push({ method, url, problems });
    return answer;
  };
}

/** The statuses of requests that the contract does not know. */
const MAY_BE_OFF = [400, 413, 415];

/** Whether a query has parameters that were not read. */
const hasMore = (sent: URLSearchParams, read: object | undefined): boolean =>
  [...sent.keys()].some((name) => !(name in Object(read)));

/** A call with what the contract can read of it. What is not known yet is a field as well, so that calls look alike. */
async function openEntry(call: ApiCall, at: number): Promise<OpenEntry> {
  const { method, url, headers } = requestOf(call);
  // Each endpoint has parts of its own; which endpoint it is, is known only at run time.
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
