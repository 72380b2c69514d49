import { ERRORS } from '@broadsheet/contract';
import { type Caller, Failure, failureAnswer } from '@broadsheet/core';
import type { WorldAnswer, WorldRequest } from '../answer.ts';
import type { Stations } from '../exchange.ts';
import type { Blow, Strike } from './fault-book.ts';

type Scene = Pick<Stations, 'api' | 'clock' | 'docsUrl' | 'rehearsal' | 'requestId'>;

/** What becomes of a request that a fault strikes. */
export async function struck(
  { blow, after }: Strike,
  request: WorldRequest,
  caller: Caller,
  { api, clock, docsUrl, rehearsal, requestId }: Scene,
): Promise<WorldAnswer> {
  const done = after ? await api.answer(request, caller) : undefined;
  if (blow.kind === 'failure') {
    const answer = failureAnswer(failureOf(blow), requestId(), docsUrl);
    return request.method === 'HEAD' ? { ...answer, body: null } : answer;
  }
  // Loaded by those who break answers: most tests do not.
  const { disrupt } = await import('./disrupt.ts');
  const answer = async () => done ?? (await rehearsal().answer(request, caller));
  return disrupt(blow.disruption, answer, { clock, signal: request.signal });
}

function failureOf({ code, message }: Extract<Blow, { kind: 'failure' }>): Failure {
  const fields = [{ field: 'mock', message: 'mock: failed on request', code: 'custom' }];
  return new Failure(code, {
    ...(message && { message }),
    ...(code === 'VALIDATION_ERROR' && { fields }),
    ...(ERRORS[code].status === 429 && { headers: { 'retry-after': '1' } }),
  });
}
