import { expect, test } from 'vitest';
import { readBody } from './read-body.ts';

const TEXT = '{"title":"Ünder the 😀 hills"}';
const bytes = new TextEncoder().encode(TEXT);
/** A response whose body comes in chunks of so many bytes. */
const inChunks = (size: number) => {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return new Response(stream);
};

test.each([1, 7, 1000])(
  'a body in chunks of %i bytes is one text, also where a chunk ends within a character',
  async (size) => {
    expect(await readBody(inChunks(size), bytes.length)).toBe(TEXT);
  },
);

test('a body is not read past the limit', async () => {
  let cancelled = false;
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => {
      cancelled = true;
    },
  });
  expect(await readBody(new Response(stream), 25)).toBeUndefined();
  expect(cancelled).toBe(true);
  expect(await readBody(inChunks(7), bytes.length - 1)).toBeUndefined();
});

test('a response without a stream is read by text()', async () => {
  expect(await readBody({ body: null, text: async () => 'whole' } as Response, 10)).toBe('whole');
});
