import type { Endpoint, EndpointId } from '@broadsheet/contract';
import { callHook } from '../calls/call-hook.ts';
import type { Drift, DriftWatch } from './drift.ts';
import { lazily } from './lazily.ts';
import type { Payload } from './read-answer.ts';
import { compile, leaf, type Shape, type Test } from './shape.ts';
import { PAGE_META, SHAPES } from './shapes.ts';

const compiled = new Map<Shape, Test>();

function fits(shape: Shape, value: unknown): boolean {
  let test = compiled.get(shape);
  if (!test) {
    test = compile(shape);
    compiled.set(shape, test);
  }
  return test(value);
}

/**
 * Compares a payload with the contract; gives a promise only when they differ, for what then happens is loaded first.
 * A payload of another kind altogether, such as an object for a list, always throws: nothing could be done with it.
 */
export function inspect(
  watch: DriftWatch,
  id: EndpointId,
  { pagination }: Endpoint,
  { data, meta }: Payload,
  requestId: string | undefined,
): Promise<void> | undefined {
  if (watch.validate === 'off') return undefined;
  const compared: [Shape, unknown, string[]][] = [[SHAPES[id], data, []]];
  if (pagination === 'page') compared.push([PAGE_META, meta, ['meta']]);
  const differing = compared.filter(([shape, value]) => !fits(shape, value));
  if (differing.length === 0) return undefined;
  const { onDrift } = watch;
  const safe = { ...watch, onDrift: onDrift && ((drift: Drift) => callHook('onDrift', onDrift, drift)) };
  return lazily(() => import('./report-drift.ts')).then(({ reportDrift }) =>
    reportDrift(safe, id, differing, requestId, leaf),
  );
}
