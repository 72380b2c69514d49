import type { Endpoint, EndpointId } from '@broadsheet/contract';
import { callHook } from '../calls/call-hook.ts';
import type { Drift, DriftWatch } from './drift.ts';
import type { Incoming } from './incoming.ts';
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

/** What is compared when nothing is: whether it is a list of objects or an object, for else nothing could be done with it. */
const KINDS = { list: [{}], search: { data: [{}] }, one: {} } as const satisfies Record<string, Shape>;

const kindOf = (id: EndpointId): Shape => KINDS[id === 'search' ? id : Array.isArray(SHAPES[id]) ? 'list' : 'one'];

/**
 * Compares a payload with the contract; gives a promise only when they differ, for what then happens is loaded first.
 * A payload of another kind altogether, such as an object for a list, always throws.
 */
export function inspect(
  watch: DriftWatch,
  id: EndpointId,
  { pagination }: Endpoint,
  { data, meta }: Payload,
  url: string,
  answer: Incoming,
): Promise<void> | undefined {
  const { validate, onDrift } = watch;
  const compared: [Shape, unknown, string[]][] = [[validate === 'off' ? kindOf(id) : SHAPES[id], data, []]];
  if (pagination === 'page' && validate !== 'off') compared.push([PAGE_META, meta, ['meta']]);
  const differing = compared.filter(([expected, value]) => !fits(expected, value));
  if (differing.length === 0) return undefined;
  const safe = { ...watch, onDrift: onDrift && ((drift: Drift) => callHook('onDrift', onDrift, drift)) };
  return lazily(() => import('./report-drift.ts')).then(({ reportDrift }) =>
    reportDrift(safe, { id, url, answer }, differing, leaf),
  );
}
