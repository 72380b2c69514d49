import type { Endpoint, EndpointId } from '@broadsheet/contract';
import type { Payload } from './answer.ts';
import { lazily } from './lazily.ts';
import type { CallOptions, ValidateMode } from './options.ts';
import { compile, leaf, type Shape, type Test } from './shape.ts';
import { PAGE_META, SHAPES } from './shapes.ts';

/**
 * A way in which the server's answers differ from the contract.
 *
 * @example
 * ```ts
 * const onDrift = ({ endpoint, path, expected, received, requestId }: Drift): void =>
 *   console.warn(`${endpoint} ${path}: ${received} instead of ${expected} (${requestId})`);
 * const blog = createClient({ onDrift });
 * ```
 */
export interface Drift {
  readonly endpoint: EndpointId;
  /** Where, with `*` for every index of an array: `*.tags.*.name`. */
  readonly path: string;
  /** `string`, `instant`, `integer`, … with `?` when it may be null. */
  readonly expected: string;
  /** The kind of value that came instead: `nothing`, `null`, `number`, … Never the value itself. */
  readonly received: string;
  readonly requestId: string | undefined;
}

/** What becomes of drifts. */
export interface DriftWatch {
  readonly validate: ValidateMode;
  readonly onDrift: CallOptions['onDrift'];
  /** The kinds that were told already. */
  readonly told: Set<string>;
}

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
  return lazily(() => import('./tell-drift.ts')).then(({ tellDrift }) =>
    tellDrift(watch, id, differing, requestId, leaf),
  );
}
