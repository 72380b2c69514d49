import type { Endpoint, EndpointId } from '@broadsheet/contract';
import type { Payload } from './answer.ts';
import { ResponseError } from './error-kinds.ts';
import type { ValidateMode } from './options.ts';
import type { Settings } from './settings.ts';
import { compile, type Mismatch } from './shape.ts';
import { PAGE_META, SHAPES } from './shapes.ts';

/** A way in which the server's answers differ from the contract. */
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

const compiled = new Map<unknown, ReturnType<typeof compile>>();

function differences(shape: Parameters<typeof compile>[0], value: unknown): readonly Mismatch[] {
  let check = compiled.get(shape);
  if (!check) {
    check = compile(shape);
    compiled.set(shape, check);
  }
  return check(value);
}

/**
 * Compares a payload with the contract. A payload of another kind altogether, such as an object for a list, always
 * throws: nothing could be done with it.
 */
export function inspect(
  settings: Settings,
  mode: ValidateMode,
  id: EndpointId,
  endpoint: Endpoint,
  payload: Payload,
  requestId: string | undefined,
): void {
  if (mode === 'off') return;
  let found = differences(SHAPES[id], payload.data);
  if (endpoint.pagination === 'page') {
    const inMeta = differences(PAGE_META, payload.meta);
    if (inMeta.length > 0) found = [...found, ...inMeta.map((one) => ({ ...one, path: ['meta', ...one.path] }))];
  }
  for (const one of found) {
    const path = one.path.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
    const drift: Drift = { endpoint: id, path, expected: one.expected, received: one.received, requestId };
    if (mode === 'strict' || path === '') throw mismatch(drift, one.path);
    tell(settings, drift);
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

function tell({ told, options }: Settings, drift: Drift): void {
  const key = `${drift.endpoint} ${drift.path} ${drift.expected} ${drift.received}`;
  if (told.has(key)) return;
  told.add(key);
  if (options.onDrift) options.onDrift(drift);
  else console.warn(`Broadsheet: ${sentence(drift, drift.path)} (request ${drift.requestId ?? 'without id'}).`);
}
