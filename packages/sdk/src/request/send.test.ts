import { expect, test } from 'vitest';
import { client } from '../../test/support/client.ts';

const TEXT = '{"title":"Ünder the 😀 hills"}';
const bytes = new TextEncoder().encode(TEXT);
/** A response whose body arrives in chunks of the given size in bytes. */
const inChunks = (size: number) => {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return new Response(stream);
};
const read = (response: Response, maxBodyBytes: number) =>
  client('https://blog.example', { fetch: async () => response, maxBodyBytes }).request('GET', '/text');

test.each([1, 7, 1000])(
  'a body in chunks of %i bytes is one text, even if a chunk ends within a character',
  async (size) => {
    expect(await read(inChunks(size), bytes.length)).toEqual(JSON.parse(TEXT));
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
  const tooLarge = { code: 'RESPONSE_TOO_LARGE' };
  await expect(read(new Response(stream), 25)).rejects.toMatchObject(tooLarge);
  expect(cancelled).toBe(true);
  await expect(read(inChunks(7), bytes.length - 1)).rejects.toMatchObject(tooLarge);
});

test('a response without a stream is read by text()', async () => {
  const standIn = { body: null, status: 200, headers: new Headers(), text: async () => '"whole"' };
  expect(await read(standIn as Response, 10)).toBe('whole');
});
