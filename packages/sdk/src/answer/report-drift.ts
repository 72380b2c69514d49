import type { EndpointId } from '@broadsheet/contract';
import { ResponseError } from '../errors/error-kinds.ts';
import type { Drift, DriftWatch } from './drift.ts';
import { explain } from './explain.ts';
import type { Shape, Test } from './shape.ts';

/**
 * Says in what each value differs from its shape: to `onDrift`, or with a throw.
 *
 * @throws ResponseError in strict mode, and for a payload of another kind altogether.
 */
export function reportDrift(
  watch: DriftWatch,
  endpoint: EndpointId,
  differing: readonly (readonly [Shape, unknown, readonly string[]])[],
  requestId: string | undefined,
  leaf: (shape: string) => Test,
): void {
  for (const { path: steps, expected, received } of differing.flatMap((one) => explain(leaf, ...one))) {
    const path = steps.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
    const drift: Drift = { endpoint, path, expected, received, requestId };
    if (watch.validate === 'strict' || path === '') throw mismatch(drift, steps);
    report(watch, drift);
  }
}

const sentence = ({ endpoint, expected, received }: Drift, where: string): string =>
  `${endpoint}: ${where || 'the answer'} should be ${expected}, but ${received} came`;

/** The error of an answer that the contract does not know. */
export function mismatch(drift: Drift, path: readonly (string | number)[]): ResponseError {
  return new ResponseError(`${sentence(drift, path.join('.'))}.`, {
    code: 'RESPONSE_MISMATCH',
    phase: 'parse',
    endpoint: drift.endpoint,
    requestId: drift.requestId,
  });
}

function report({ reported, onDrift }: DriftWatch, drift: Drift): void {
  const key = `${drift.endpoint} ${drift.path} ${drift.expected} ${drift.received}`;
  if (reported.has(key)) return;
  reported.add(key);
  if (onDrift) onDrift(drift);
  else console.warn(`Broadsheet: ${sentence(drift, drift.path)} (request ${drift.requestId ?? 'without id'}).`);
}
