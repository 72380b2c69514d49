import { type EndpointId, ERRORS, type ErrorCode, findRoute, REQUESTS, type RequestRules } from '@broadsheet/contract';
import { type BlogApi, type Caller, Failure, failed, readBody, readParams, readQuery } from '@broadsheet/core';
import type { Journal, OpenCall } from './ask/journal.ts';
import type { OffContract } from './ask/off-contract.ts';
import type { FaultBook, Strike } from './faults/fault-book.ts';
import type { Gates } from './faults/gates.ts';
import type { LensBook } from './lens/lens-book.ts';
import type { InnerClock } from './time/clock.ts';

/** The parts of a world that a request meets on its way, in the order it meets them. */
export interface Stations {
  readonly basePath: string;
  readonly docsUrl: string;
  readonly clock: InnerClock;
  readonly journal: Journal;
  readonly gates: Gates;
  latency(endpoint: EndpointId): number;
  readonly faults: FaultBook;
  readonly api: BlogApi;
  /** The same API over a copy of the world, for answers that must leave no trace. */
  rehearsal(): BlogApi;
  readonly lenses: LensBook;
  requestId(): string;
  report(request: OffContract): void;
}

/** What the contract has no word for but the caller did wrong. */
const CALLERS_FAULT: readonly (ErrorCode | undefined)[] = [
  'VALIDATION_ERROR',
  'INVALID_JSON',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** Takes one request through a world: journal, gate, latency, fault, API, lens. */
export async function exchange(request: Request, caller: Caller, stations: Stations): Promise<Response> {
  const { clock, gates, faults, api, lenses } = stations;
  const url = new URL(request.url);
  const path = url.pathname.startsWith(`${stations.basePath}/`) ? url.pathname.slice(stations.basePath.length) : '';
  const route = findRoute(request.method, path);
  if (route.found !== 'endpoint') {
    const response = await api.fetch(request, caller);
    if (request.method !== 'OPTIONS') {
      const { method, url: at } = request;
      stations.report({ method, url: at, problems: [`the API has nothing at ${method} ${path || url.pathname}`] });
    }
    return response;
  }
  const { id } = route;
  const call = openCall(id, request, clock.now());
  stations.journal.write(call);
  const problems = unknownParameters(id, url.searchParams);
  await read(call, () => ({ params: readParams(id, route.params) }));
  await read(call, () => ({ query: readQuery(id, url.searchParams) }));
  if (request.method === 'POST') {
    const body = await request.clone().text();
    await read(call, () => ({ body: readBody(id, JSON.parse(body)) }));
  }

  await gates.pass(id, request.signal);
  await clock.sleep(stations.latency(id), request.signal);
  const strike = faults.take(id);
  let response: Response;
  if (strike) {
    call.fault = strike.blow.kind === 'failure' ? strike.blow.code : strike.blow.disruption;
    response = await struck(strike, request, caller, stations);
  } else response = await lenses.render(id, await api.fetch(request, caller));
  request.signal.throwIfAborted();

  call.status = response.status;
  if (response.status >= 400) Object.assign(call, await codeOf(response));
  if (!strike && CALLERS_FAULT.includes(call.code)) problems.push(...(await messagesOf(response)));
  if (problems.length > 0) stations.report({ method: request.method, url: request.url, problems });
  return response;
}

async function struck(strike: Strike, request: Request, caller: Caller, stations: Stations): Promise<Response> {
  const { blow, after } = strike;
  const done = after ? await stations.api.fetch(request.clone() as Request, caller) : undefined;
  if (blow.kind === 'failure') {
    const fields =
      blow.code === 'VALIDATION_ERROR'
        ? [{ field: 'mock', message: 'mock: failed on request', code: 'custom' }]
        : undefined;
    const headers = ERRORS[blow.code].status === 429 ? { 'retry-after': '1' } : undefined;
    const details = {
      ...(blow.message && { message: blow.message }),
      ...(fields && { fields }),
      ...(headers && { headers }),
    };
    const response = failed(new Failure(blow.code, details), stations.requestId(), stations.docsUrl);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  }
  const answer = async () => done ?? (await stations.rehearsal().fetch(request, caller));
  // Loaded by those who break answers: most tests do not.
  const { disrupt } = await import('./faults/disrupt.ts');
  return disrupt(blow.disruption, answer, { clock: stations.clock, signal: request.signal });
}

function openCall(endpoint: EndpointId, request: Request, at: number): OpenCall {
  const { method, url } = request;
  const headers = Object.fromEntries(request.headers);
  const blank = { params: undefined, query: undefined, body: undefined, status: undefined } as const;
  return { endpoint, method, url, headers, at, code: undefined, fault: undefined, ...blank } as OpenCall;
}

/** Fills in what the contract can read; what it cannot read is answered, and reported, by the API itself. */
async function read(call: OpenCall, part: () => object): Promise<void> {
  try {
    Object.assign(call, part());
  } catch (error) {
    if (!(error instanceof Failure || error instanceof SyntaxError)) throw error;
  }
}

function unknownParameters(id: EndpointId, search: URLSearchParams): string[] {
  const known = Object.keys((REQUESTS[id] as RequestRules).query?.fields ?? {});
  const unknown = [...new Set(search.keys())].filter((name) => !known.includes(name));
  return unknown.map(
    (name) => `${name}: ${id} has no such query parameter${known.length > 0 ? `; it has ${known.join(', ')}` : ''}`,
  );
}

async function errorOf(response: Response): Promise<{ code?: ErrorCode; message?: string }> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return (body as { error?: { code?: ErrorCode; message?: string } } | undefined)?.error ?? {};
}

const codeOf = async (response: Response) => ({ code: (await errorOf(response)).code });
const messagesOf = async (response: Response) => [(await errorOf(response)).message ?? `status ${response.status}`];
