import { expect, test, vi } from 'vitest';
import { client } from './support/client.ts';

/** Sends a body, and returns what `fetch` received. */
async function sent(body: unknown): Promise<{ readonly body: unknown; readonly type: string | null } | undefined> {
  const fetch = vi.fn(async (_: string, __: RequestInit) => Response.json({ success: true, data: 1 }));
  await client('https://blog.example', { fetch }).request('POST', '/hook', { body }).safe();
  const init = fetch.mock.calls[0]?.[1];
  return init && { body: init.body, type: new Headers(init.headers).get('content-type') };
}

const form = new FormData();
form.set('a', '1');

test.each([
  ['a form', form],
  ['parameters', new URLSearchParams({ a: '1' })],
  ['a Blob', new Blob(['a'])],
  ['bytes', new Uint8Array([1, 2])],
  ['a buffer', new ArrayBuffer(2)],
  ['a view', new DataView(new ArrayBuffer(2))],
])('%s is sent as it is, with the content type of fetch', async (_, body) => {
  expect(await sent(body)).toEqual({ body, type: null });
});

test.each([
  ['an object', { a: [1, null, { b: 'x' }], c: undefined }, '{"a":[1,null,{"b":"x"}]}'],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  ['text', 'x', '"x"'],
  ['null', null, 'null'],
  ['false', false, 'false'],
])('%s is sent as JSON', async (_, body, text) => {
  expect(await sent(body)).toEqual({ body: text, type: 'application/json' });
});

test.each([
  ['body', new Map([['a', 1]])],
  ['body', new Set([1])],
  ['body', () => 1],
  ['body', Number.NaN],
  ['body', 1n],
  ['body', new ReadableStream()],
  ['body.tags', { tags: new Set(['a']) }],
  ['body.price', { price: Number.POSITIVE_INFINITY }],
  ['body.0', [() => 1]],
  ['body.id', { a: { id: 1n } }],
  ['body.file', { file: new Blob([]) }],
  ['body.name', { name: Symbol('a') }],
])('what JSON would lose in %s is refused before a request: %o', async (where, body) => {
  const fetch = vi.fn();
  const { error } = await client('https://blog.example', { fetch }).request('POST', '/hook', { body }).safe();
  expect(error).toMatchObject({ name: 'InputError', code: 'INVALID_INPUT' });
  expect(error?.message).toContain(`request: ${where} must be plain JSON, a form, a Blob or bytes; received `);
  expect(fetch).not.toHaveBeenCalled();
});

test.each([null, Number.NaN, Number.NEGATIVE_INFINITY, new Date(0), [1, 2], {}, Symbol('a'), 1n])(
  'a parameter %o is refused before a request',
  async (value) => {
    const { error } = await client('https://blog.example', { fetch: vi.fn() })
      .request('GET', '/hook', { query: { a: value as never } })
      .safe();
    expect(error?.message).toContain('request: query.a must be a string, a finite number or a boolean; received ');
  },
);
