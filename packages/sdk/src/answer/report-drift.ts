import type { EndpointId } from '@broadsheet/contract';
import type { Failure } from '../errors/failure.ts';
import { SHAPES } from '../generated/shapes.ts';
import type { Drift, DriftWatch } from './drift.ts';
import { explain, type Shape } from './explain.ts';
import type { Incoming } from './incoming.ts';
import type { Payload } from './read-answer.ts';
import { excerpt, quoted } from './words.ts';

/** The answer that differs, and to what. */
interface Differing {
  readonly id: EndpointId;
  readonly url: string;
  readonly answer: Incoming;
}

/**
 * Says in what each value differs from its shape: to `onDrift`; or gives the failure that it is, in strict mode and for a
 * payload of another kind altogether.
 */
export function reportDrift(
  { validate, reported, redact }: DriftWatch,
  report: (drift: Drift, words: string) => void,
  { id: endpoint, url, answer: { status, headers, text } }: Differing,
  { data, meta }: Payload,
  paged: boolean,
): Failure | undefined {
  const id = headers.get('x-request-id');
  const mismatches = [
    ...explain(validate === 'off' ? kindOf(endpoint) : SHAPES[endpoint], data),
    ...(paged && validate !== 'off' ? explain(SHAPES.meta, meta, ['meta']) : []),
  ];
  const requestId = id === null ? undefined : redact(id);
  for (const { path: steps, expected, received } of mismatches) {
    const path = steps.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
    const drift: Drift = { endpoint, path, expected, received, requestId };
    // The list itself, or an item that is no object: whoever reads it would fail.
    const unusable = /^(data)?\.?\*?$/.test(path);
    if (validate === 'strict' || unusable) {
      const words = quoted(JSON.parse(text), redact);
      const message = `${sentence(drift, steps.join('.'))}${words && `; the answer says ${words}`}. (${url})`;
      const body = excerpt(text, redact);
      const facts = { code: 'RESPONSE_MISMATCH', phase: 'parse', endpoint, status, requestId, body } as const;
      return { kind: 'ResponseError', message, facts };
    }
    const kind = `${endpoint} ${path} ${expected} ${received}`;
    if (reported.has(kind)) continue;
    reported.add(kind);
    report(drift, `Broadsheet: ${sentence(drift, path)} (request ${requestId ?? 'without id'}).`);
  }
  return undefined;
}

/** All that is wanted when no field is compared: a list of objects, or an object. */
function kindOf(id: EndpointId): Shape {
  if (id === 'search') return { data: [{}] };
  return Array.isArray(SHAPES[id]) ? [{}] : {};
}

const sentence = ({ endpoint, expected, received }: Drift, where: string): string =>
  `${endpoint}: ${where || 'the response'}: expected ${expected}, received ${received}`;
