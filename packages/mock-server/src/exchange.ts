import { type EndpointId, type ErrorCode, findRoute, LIMITS } from '@broadsheet/contract';
import type { BlogApi, Caller } from '@broadsheet/core';
import { jsonOf, type WorldAnswer, type WorldRequest } from './answer.ts';
import type { Journal } from './ask/journal.ts';
import type { OffContract } from './ask/off-contract.ts';
import { openCall, unknownParameters } from './ask/open-call.ts';
import type { FaultBook } from './faults/fault-book.ts';
import type { Gates } from './faults/gates.ts';
import { struck } from './faults/struck.ts';
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

/** Codes that say that the caller sent what the contract does not take. */
const CALLERS_FAULT: readonly (ErrorCode | undefined)[] = [
  'VALIDATION_ERROR',
  'INVALID_JSON',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** Takes one request through a world: journal, gate, latency, fault, API, lens. */
export async function exchange(asked: WorldRequest, caller: Caller, stations: Stations): Promise<WorldAnswer> {
  const { clock, gates, faults, api, lenses } = stations;
  const { method, url, signal } = asked;
  const { pathname, searchParams } = new URL(url);
  const path = pathname.startsWith(`${stations.basePath}/`) ? pathname.slice(stations.basePath.length) : '';
  const route = findRoute(method, path);
  if (route.found !== 'endpoint') {
    if (method !== 'OPTIONS') {
      stations.report({ method, url, problems: [`the API has nothing at ${method} ${path || pathname}`] });
    }
    return api.answer(asked, caller);
  }
  const { id } = route;
  const body = method === 'POST' ? await asked.body(LIMITS.body) : undefined;
  // The journal has read the body; the API reads it again.
  const request: WorldRequest = { ...asked, body: async () => body };
  const call = openCall(id, { request, params: route.params, search: searchParams, body, at: clock.now() });
  stations.journal.write(call);

  await gates.pass(id, signal);
  await clock.sleep(stations.latency(id), signal);
  const strike = faults.take(id);
  const answer = strike
    ? await struck(strike, request, caller, stations)
    : await lenses.render(id, await api.answer(request, caller));
  signal.throwIfAborted();

  call.status = answer.status;
  if (strike) call.fault = strike.blow.kind === 'failure' ? strike.blow.code : strike.blow.disruption;
  const problems = unknownParameters(id, searchParams);
  if (answer.status >= 400) {
    const { code, message } = errorOf(answer);
    call.code = code;
    if (!strike && CALLERS_FAULT.includes(code)) problems.push(message ?? `status ${answer.status}`);
  }
  if (problems.length > 0) stations.report({ method, url, problems });
  return answer;
}

function errorOf({ body }: WorldAnswer): { code?: ErrorCode; message?: string } {
  return (jsonOf(body) as { error?: { code?: ErrorCode; message?: string } } | undefined)?.error ?? {};
}
