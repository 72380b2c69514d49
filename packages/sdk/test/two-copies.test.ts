import { expect, test, vi } from 'vitest';
import * as first from '../src/index.ts';
import { envelope, json } from './support/responses.ts';
import { serve } from './support/serve.ts';

test('the guards of one copy of the package recognize the errors of another', async () => {
  const { url } = await serve((_, response) => json(response, 404, envelope(404, 'NOT_FOUND')));
  vi.resetModules();
  const second = await import('../src/index.ts');
  expect(second.BroadsheetError).not.toBe(first.BroadsheetError);
  const { error } = await second.createClient({ baseUrl: url, apiKey: 'key' }).posts.get('1').safe();
  expect(first.isBroadsheetError(error)).toBe(true);
  expect(error).toBeInstanceOf(first.BroadsheetError);
  expect(error).toBeInstanceOf(first.ApiError);
  expect(error).toBeInstanceOf(first.NotFoundError);
  expect(error).not.toBeInstanceOf(first.ValidationError);
  expect(error).not.toBeInstanceOf(first.NetworkError);
});
