import { LIMITS } from '@broadsheet/contract';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import { fromRequest } from '../http/request.ts';
import { readJsonBody } from './read-parts.ts';

describe('a JSON body', () => {
  /** A `Request` does not set `Content-Length`: a door passes on the header that it received. */
  function request(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Request {
    return new Request('https://blog.example/', {
      method: 'POST',
      body: new Blob([body]).stream(),
      ...({ duplex: 'half' } as object),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  const read = (...args: Parameters<typeof request>) => readJsonBody(fromRequest(request(...args)));

  async function errorFor(reading: Promise<unknown>) {
    const error = await reading.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    const { code, details } = error as ApiError;
    return `${code}: ${details.message}`;
  }

  test.each(['application/json', ' Application/JSON ; charset=utf-8'])('a body of %j is read', async (type) => {
    expect(await read('{"a":"ü"}', { 'content-type': type })).toEqual({ a: 'ü' });
  });

  test('the error names the media type that was sent, or says that it is missing', async () => {
    const must = 'UNSUPPORTED_MEDIA_TYPE: The body must be sent as application/json, not';
    expect(await errorFor(read('{}', { 'content-type': 'text/plain; charset=utf-8' }))).toBe(`${must} "text/plain".`);
    expect(await errorFor(read('{}', { 'content-type': '' }))).toBe(`${must} without a Content-Type.`);
  });

  test('the errors for invalid JSON and for an empty body differ', async () => {
    expect(await errorFor(read(''))).toBe('INVALID_JSON: The body is not valid JSON: it is empty.');
    expect(await errorFor(read('{"a"'))).toMatch(/^INVALID_JSON: The body is not valid JSON: (?!it is empty).+\.$/);
    expect(await errorFor(read(new Uint8Array([0x22, 0xff, 0x22])))).toMatch(/^INVALID_JSON: /);
  });

  test.each([false, true])('a body may have the maximum size, with its length declared: %s', async (said) => {
    const words = 'x'.repeat(LIMITS.body - 2);
    const declared = (size: number) => ({ ...(said && { 'content-length': String(size) }) });
    const large = `PAYLOAD_TOO_LARGE: The body is larger than ${LIMITS.body} bytes.`;
    expect(await read(`"${words}"`, declared(LIMITS.body))).toBe(words);
    expect(await errorFor(read(`"${words}x"`, declared(LIMITS.body + 1)))).toBe(large);
    // The size received counts too, regardless of the declared length.
    expect(await errorFor(read(`"${words}x"`, declared(2)))).toBe(large);
  });

  test('a body that is declared too large is not read', async () => {
    const large = request('{}', { 'content-length': String(LIMITS.body + 1) });
    expect(await errorFor(readJsonBody(fromRequest(large)))).toMatch(/^PAYLOAD_TOO_LARGE/);
    expect(large.bodyUsed).toBe(false);
  });

  test('the media type is checked before the size', async () => {
    const headers = { 'content-type': 'text/plain', 'content-length': String(LIMITS.body + 1) };
    expect(await errorFor(read('{', headers))).toMatch(/^UNSUPPORTED_MEDIA_TYPE/);
  });
});
