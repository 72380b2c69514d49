import { ERRORS } from '@broadsheet/contract';
import { type BlogApi, type Caller, Failure, failureAnswer } from '@broadsheet/core';
import type { WorldAnswer, WorldRequest } from '../doors/answer.ts';
import type { InnerClock } from '../time/clock.ts';
import type { AppliedFault, FaultEffect } from './fault-book.ts';

/** What of its world a fault works with. */
export interface WorldContext {
  readonly docsUrl: string;
  readonly clock: InnerClock;
  readonly api: BlogApi;
  /** The same API over a copy of the world, for answers that must leave no trace. */
  rehearsal(): BlogApi;
  requestId(): string;
}

/** Answers a request to which a fault applies. */
export async function applyFault(
  { effect, after }: AppliedFault,
  request: WorldRequest,
  caller: Caller,
  { api, clock, docsUrl, rehearsal, requestId }: WorldContext,
): Promise<WorldAnswer> {
  const done = after ? await api.answer(request, caller) : undefined;
  if (effect.kind === 'failure') {
    const answer = failureAnswer(failureOf(effect), requestId(), docsUrl);
    return request.method === 'HEAD' ? { ...answer, body: null } : answer;
  }
  // Loaded by those who break answers: most tests do not.
  const { disrupt } = await import('./disrupt.ts');
  const answer = async () => done ?? (await rehearsal().answer(request, caller));
  return disrupt(effect.disruption, answer, { clock, signal: request.signal });
}

function failureOf({ code, message }: Extract<FaultEffect, { kind: 'failure' }>): Failure {
  const fields = [{ field: 'mock', message: 'mock: failed on request', code: 'custom' }];
  return new Failure(code, {
    ...(message && { message }),
    ...(code === 'VALIDATION_ERROR' && { fields }),
    ...(ERRORS[code].status === 429 && { headers: { 'retry-after': '1' } }),
  });
}
