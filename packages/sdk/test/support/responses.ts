import type { ServerResponse } from 'node:http';

/** Responds with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });
  response.end(JSON.stringify(body));
}

/** The error envelope of the API. */
export function envelope(statusCode: number, code: string, more: Record<string, unknown> = {}): unknown {
  const retryable = statusCode >= 500 || statusCode === 429;
  const docs = `https://docs.example/errors/${code}`;
  const error = {
    message: `${code} happened`,
    code,
    type: 'test',
    statusCode,
    retryable,
    requestId: 'req_e',
    docs,
    ...more,
  };
  return { success: false, error };
}
