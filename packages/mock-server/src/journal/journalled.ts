import { ENDPOINTS, type Endpoint } from '@broadsheet/contract';
import { type ApiCall, type Around, buffered, type EndpointCall } from '@broadsheet/core';
import { type BodyStream, bodyOf, requestOf } from '../doors/response.ts';
import type { WorldContext } from '../worlds/world-context.ts';
import { broken, type OpenEntry, responses } from './journal.ts';

/** Records every call in the journal, and reports requests that are off the contract. */
export function journalled(context: WorldContext): Around<BodyStream> {
  const { journal, clock } = context;
  return async (call, next) => {
    const body = takesBody(call) ? (await call.body()).value : undefined;
    const entry = call.endpoint && openEntry(call, body, clock.now());
    if (entry) journal.write(call, entry);
    const response = await next();
    // A caller that has given up gets no response, so none is recorded.
    if (requestOf(call).signal.aborted) return response;
    const { cause } = call.error?.details ?? {};
    if (cause) broken.set(call.request, cause);
    if (entry) {
      entry.status = response.status;
      entry.code = call.error?.code;
      responses.set(entry, response);
    }
    const mayBeOff = !entry || MAY_BE_OFF.includes(response.status) || hasMore(call.url.searchParams, entry.query);
    if (mayBeOff && !call.isBeacon) await report(entry, call);
    return response;
  };

  async function report(entry: OpenEntry | undefined, call: ApiCall): Promise<void> {
    // Most requests are on the contract; the code that reports the others is loaded on demand.
    const { problemsOf } = await import('../lenses/late.ts');
    const { method, url } = requestOf(call);
    const problems = problemsOf(call, entry);
    if (problems.length > 0) context.offContract.push({ method, url, problems });
  }
}

/** The statuses that a request off the contract may get. */
const MAY_BE_OFF = [400, 413, 415];

/** Whether a query has parameters that were not read. */
const hasMore = (sent: URLSearchParams, read: object | undefined): boolean =>
  [...sent.keys()].some((name) => !(name in Object(read)));

const takesBody = (call: ApiCall): call is Exclude<ApiCall, { readonly endpoint: undefined }> =>
  call.endpoint !== undefined && (ENDPOINTS[call.endpoint] as Endpoint).body === 'required';

/** A call with the values that the contract allows. All fields are set, so that all entries have the same shape. */
function openEntry(call: ApiCall, body: unknown, at: number): OpenEntry {
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
    body,
    headers,
    at,
    status: undefined,
    code: undefined,
    fault: undefined,
    get response() {
      const result = responses.get(this as OpenEntry);
      return result && bodyOf(buffered(result));
    },
  } as OpenEntry;
}
