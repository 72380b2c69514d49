import type { EndpointId } from '@broadsheet/contract';
import { ResponseError } from '../errors/error-kinds.ts';
import type { Drift, DriftWatch } from './drift.ts';
import { explain } from './explain.ts';
import type { Incoming } from './incoming.ts';
import type { Payload } from './read-answer.ts';
import type { Shape } from './shape.ts';
import { PAGE_META, SHAPES } from './shapes.ts';
import { excerpt, quoted } from './words.ts';

/** The answer that differs, and to what. */
interface Differing {
  readonly id: EndpointId;
  readonly url: string;
  readonly answer: Incoming;
}

/**
 * Says in what each value differs from its shape: to `onDrift`, or with a throw.
 *
 * @throws ResponseError in strict mode, and for a payload of another kind altogether.
 */
export function reportDrift(
  watch: DriftWatch,
  { id: endpoint, url, answer: { status, headers, text } }: Differing,
  { data, meta }: Payload,
  paged: boolean,
): void {
  const id = headers.get('x-request-id');
  const mismatches = [
    ...explain(watch.validate === 'off' ? kindOf(endpoint) : SHAPES[endpoint], data),
    ...(paged && watch.validate !== 'off' ? explain(PAGE_META, meta, ['meta']) : []),
  ];
  const requestId = id === null ? undefined : watch.redact(id);
  for (const { path: steps, expected, received } of mismatches) {
    const path = steps.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
    const drift: Drift = { endpoint, path, expected, received, requestId };
    // The list itself, or an item that is no object: whoever reads it would fail.
    const unusable = /^(data)?\.?\*?$/.test(path);
    if (watch.validate !== 'strict' && !unusable) report(watch, drift);
    else {
      const words = quoted(JSON.parse(text), watch.redact);
      throw new ResponseError(`${sentence(drift, steps.join('.'))}${words && `; the answer says ${words}`}. (${url})`, {
        ...{
          code: 'RESPONSE_MISMATCH',
          phase: 'parse',
          endpoint,
          status,
          requestId,
          body: excerpt(text, watch.redact),
        },
      });
    }
  }
}

/** All that is wanted when no field is compared: a list of objects, or an object. */
function kindOf(id: EndpointId): Shape {
  if (id === 'search') return { data: [{}] };
  return Array.isArray(SHAPES[id]) ? [{}] : {};
}

const sentence = ({ endpoint, expected, received }: Drift, where: string): string =>
  `${endpoint}: ${where || 'the answer'} should be ${expected}, but ${received} came`;

function report({ reported, onDrift }: DriftWatch, drift: Drift): void {
  const key = `${drift.endpoint} ${drift.path} ${drift.expected} ${drift.received}`;
  if (reported.has(key)) return;
  reported.add(key);
  if (onDrift) onDrift(drift);
  else console.warn(`Broadsheet: ${sentence(drift, drift.path)} (request ${drift.requestId ?? 'without id'}).`);
}
