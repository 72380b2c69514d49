import { type EndpointId, type ErrorCode, findRoute, LIMITS } from '@broadsheet/contract';
import type { Caller } from '@broadsheet/core';
import { jsonOf, type WorldAnswer, type WorldRequest } from '../doors/answer.ts';
import { applyFault, type WorldContext } from '../faults/apply-fault.ts';
import type { FaultBook } from '../faults/fault-book.ts';
import type { Gates } from '../faults/gates.ts';
import type { Journal } from '../journal/journal.ts';
import type { OffContract } from '../journal/off-contract.ts';
import { openCall, unknownParameters } from '../journal/open-call.ts';
import type { LensBook } from '../lenses/lens-book.ts';

/** The parts of a world that a request meets on its way, in the order it meets them. */
export interface RequestPipeline extends WorldContext {
  readonly basePath: string;
  readonly journal: Journal;
  readonly gates: Gates;
  latency(endpoint: EndpointId): number;
  readonly faults: FaultBook;
  readonly lenses: LensBook;
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
export async function answerInWorld(
  received: WorldRequest,
  caller: Caller,
  pipeline: RequestPipeline,
): Promise<WorldAnswer> {
  const { clock, gates, faults, api, lenses } = pipeline;
  const { method, url, signal } = received;
  const { pathname, searchParams } = new URL(url);
  const path = pathname.startsWith(`${pipeline.basePath}/`) ? pathname.slice(pipeline.basePath.length) : '';
  const route = findRoute(method, path);
  if (route.found !== 'endpoint') {
    if (method !== 'OPTIONS') {
      pipeline.report({ method, url, problems: [`the API has nothing at ${method} ${path || pathname}`] });
    }
    return api.answer(received, caller);
  }
  const { id } = route;
  const body = method === 'POST' ? await received.body(LIMITS.body) : undefined;
  // The journal has read the body; the API reads it again.
  const request: WorldRequest = { ...received, body: async () => body };
  const call = openCall(id, { request, params: route.params, search: searchParams, body, at: clock.now() });
  pipeline.journal.write(call);

  await gates.pass(id, signal);
  await clock.sleep(pipeline.latency(id), signal);
  const applied = faults.take(id);
  const answer = applied
    ? await applyFault(applied, request, caller, pipeline)
    : await lenses.render(id, await api.answer(request, caller));
  signal.throwIfAborted();

  call.status = answer.status;
  if (applied) call.fault = applied.effect.kind === 'failure' ? applied.effect.code : applied.effect.disruption;
  const problems = unknownParameters(id, searchParams);
  if (answer.status >= 400) {
    const { code, message } = errorOf(answer);
    call.code = code;
    if (!applied && CALLERS_FAULT.includes(code)) problems.push(message ?? `status ${answer.status}`);
  }
  if (problems.length > 0) pipeline.report({ method, url, problems });
  return answer;
}

function errorOf({ body }: WorldAnswer): { code?: ErrorCode; message?: string } {
  return (jsonOf(body) as { error?: { code?: ErrorCode; message?: string } } | undefined)?.error ?? {};
}
