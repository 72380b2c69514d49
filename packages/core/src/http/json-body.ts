import { LIMITS } from '@broadsheet/contract';
import { ApiError } from './api-error.ts';
import type { ApiRequest } from './request.ts';

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
  const isTooLong = Number(request.header('content-length')) > LIMITS.body;
  const bytes = isTooLong ? undefined : await request.body(LIMITS.body);
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
