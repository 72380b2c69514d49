import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINT_IDS, ENDPOINTS, type Endpoint } from '../endpoints.ts';
import { ERROR_CODES } from '../errors.ts';
import { accept } from '../rules/accept.ts';
import { REQUESTS, type RequestRules } from '../rules/requests.ts';
import { ErrorEnvelope } from '../schemas/error-envelope.ts';
import { MESSAGES, type Message } from '../schemas/messages.ts';
import { BODIES, errorExample, RESPONSES } from './examples.ts';

test.each(ENDPOINT_IDS)('the example response of %s fits its schema', (id) => {
  const { data, meta }: Message = MESSAGES[id];
  const whole: Endpoint = ENDPOINTS[id];
  const response = RESPONSES[id] as { data: unknown; meta?: unknown };
  z.parse(data, whole.form === 'envelope' ? response.data : response);
  if (meta) z.parse(meta, response.meta);
});

test('every endpoint with a body has an example that is accepted', () => {
  const withBody = ENDPOINT_IDS.filter((id) => (REQUESTS[id] as RequestRules).body);
  expect(Object.keys(BODIES)).toEqual(withBody);
  for (const id of withBody) {
    const { body }: RequestRules = REQUESTS[id];
    expect(body && accept(body, BODIES[id])).toMatchObject({ ok: true });
  }
});

test.each(ERROR_CODES)('the example of %s is an error envelope', (code) => {
  expect(z.parse(ErrorEnvelope, errorExample(code))).toEqual(errorExample(code));
});

test('only the example of an invalid request has details, which name the field', () => {
  expect(errorExample('VALIDATION_ERROR').error).toMatchObject({
    details: { fields: [{ field: 'limit', message: 'limit: must be at most 100', code: 'too_big' }] },
    docs: 'https://blog.example/errors/VALIDATION_ERROR',
  });
  expect(errorExample('NOT_FOUND').error).not.toHaveProperty('details');
});
