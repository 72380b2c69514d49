import type { FieldError } from '@broadsheet/contract';
import { Disagreement, equal, holds, matches } from './expect.ts';
import { json, type TargetResponse } from './send.ts';

/** Status and type of every error code that a request can cause (API document 7, and `decided`). */
const kinds = {
  VALIDATION_ERROR: [400, 'field_validation'],
  INVALID_JSON: [400, 'request'],
  CLICK_TOKEN_INVALID: [400, 'click_token'],
  CLICK_TOKEN_EXPIRED: [400, 'click_token'],
  UNAUTHORIZED: [401, 'authentication'],
  ORIGIN_NOT_ALLOWED: [403, 'authorization'],
  NOT_FOUND: [404, 'not_found'],
  NO_SUCH_ENDPOINT: [404, 'not_found'],
  METHOD_NOT_ALLOWED: [405, 'request'],
  CLICK_TOKEN_USED: [409, 'conflict'],
  PAYLOAD_TOO_LARGE: [413, 'request'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'request'],
} as const;

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** The format of a request id (API document 7). */
export const REQUEST_ID = new RegExp(`^req_${uuid}$`, 'i');

/**
 * Checks that the response is this error, with exactly the keys of the standard envelope, and returns the fields that
 * it names. A validation error must name at least one. Where the document leaves the body open, there are none.
 */
export function failure(response: TargetResponse, code: keyof typeof kinds): readonly FieldError[] {
  const [status, type] = kinds[code];
  const at = response.request;
  if (response.status !== status) {
    throw new Disagreement(
      `${at}: expected ${status} ${code}, found ${response.status}: ${response.text.slice(0, 200)}`,
    );
  }
  if (isOpen(response, code)) return [];
  matches(response.headers.get('content-type'), /^application\/json\b/i, `${at}: Content-Type`);
  const body = json(response) as { error?: Record<string, unknown> };
  const { message, details, requestId, docs, ...rest } = body.error ?? {};
  equal(Object.keys(body).sort(), ['error', 'success'], `${at}: keys of the body`);
  equal((body as Record<string, unknown>)['success'], false, `${at}: success`);
  equal(rest, { code, type, statusCode: status, retryable: false }, `${at}: error`);
  matches(message, /\S/, `${at}: error.message`);
  matches(requestId, REQUEST_ID, `${at}: error.requestId`);
  if (!response.documentOnly) equal(response.headers.get('x-request-id'), requestId, `${at}: X-Request-Id`);
  matches(docs, new RegExp(`/errors/${code}$`), `${at}: error.docs`);
  holds(details === undefined || Object(details) === details, `${at}: error.details is an object`);
  if (code !== 'VALIDATION_ERROR') return [];
  const { fields } = (details ?? {}) as { fields?: readonly FieldError[] };
  holds(Array.isArray(fields) && fields.length > 0, `${at}: error.details.fields names a field`);
  for (const field of fields) {
    equal(Object.keys(field).sort(), ['code', 'field', 'message'], `${at}: keys of a field`);
    matches(field.message, /\S/, `${at}: message of a field`);
    matches(field.code, /^[a-z_]+$/, `${at}: code of a field`);
  }
  return fields;
}

/** The document specifies the code and the body only for a missing key and a refused search. */
const isOpen = ({ documentOnly, request }: TargetResponse, code: keyof typeof kinds): boolean =>
  documentOnly && code !== 'UNAUTHORIZED' && !(code === 'VALIDATION_ERROR' && request.includes('/public/search'));

/** Checks that the response rejects exactly these fields. */
export function refuses(response: TargetResponse, ...names: readonly string[]): void {
  const fields = failure(response, 'VALIDATION_ERROR').map(({ field }) => field);
  if (isOpen(response, 'VALIDATION_ERROR')) return;
  equal([...new Set(fields)].sort(), [...names].sort(), `${response.request}: fields refused`);
}
