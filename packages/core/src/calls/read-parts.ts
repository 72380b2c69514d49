import { accept, type FieldError, LIMITS, type RecordRule } from '@broadsheet/contract';
import { ApiError } from '../http/api-error.ts';
import type { ApiRequest } from '../http/request.ts';

/** One part of a request (parameters, query or body), read by the rules of its endpoint. */
export interface RequestPart<T = unknown> {
  /** The value; `undefined` if the endpoint takes no such part, or if there is an {@link error}. */
  readonly value: T | undefined;
  /** Why the part is refused. */
  readonly error: ApiError | undefined;
}

/** Reads the parameters of a path; an escape that is not UTF-8 is an error. */
export function readParams(rule: RecordRule, encoded: Readonly<Record<string, string>>): RequestPart {
  const params: Record<string, string> = {};
  for (const [name, text] of Object.entries(encoded)) {
    try {
      params[name] = decodeURIComponent(text);
    } catch {
      const message = `${name}: ${JSON.stringify(text)} contains a malformed percent-escape`;
      return refused([{ field: name, message, code: 'invalid_encoding' }]);
    }
  }
  return read(rule, params);
}

/** Reads the query parameters that the endpoint knows and ignores others; a repeated parameter is an error. */
export function readQuery(rule: RecordRule, url: URL): RequestPart {
  const query: Record<string, string | string[]> = {};
  // Creating `searchParams` is slow.
  const names = url.search === '' ? [] : Object.keys(rule.fields);
  for (const name of names) {
    const values = url.searchParams.getAll(name);
    const [first] = values;
    if (first !== undefined) query[name] = values.length === 1 ? first : values;
  }
  return read(rule, query);
}

/** Reads a body that must be JSON. */
export async function readBody(rule: RecordRule, request: ApiRequest): Promise<RequestPart> {
  try {
    return read(rule, await readJsonBody(request));
  } catch (error) {
    if (error instanceof ApiError) return { value: undefined, error };
    throw error;
  }
}

function read(rule: RecordRule, input: unknown): RequestPart {
  const result = accept(rule, input);
  return result.ok ? { value: result.value, error: undefined } : refused(result.fields);
}

const refused = (fields: readonly FieldError[]): RequestPart => ({
  value: undefined,
  error: new ApiError('VALIDATION_ERROR', { fields }),
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body that must be JSON.
 *
 * @throws ApiError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE` or `INVALID_JSON`, checked in this order
 */
export async function readJsonBody(request: ApiRequest): Promise<unknown> {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The body must be sent as application/json, not ${mediaType ? JSON.stringify(mediaType) : 'without a Content-Type'}.`,
    });
  }
  const bytes = await request.body(LIMITS.body);
  if (!bytes) {
    throw new ApiError('PAYLOAD_TOO_LARGE', { message: `The body is larger than ${LIMITS.body} bytes.` });
  }
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new ApiError('INVALID_JSON', {
      message: `The body is not valid JSON: ${bytes.byteLength === 0 ? 'it is empty' : (error as Error).message}.`,
    });
  }
}
