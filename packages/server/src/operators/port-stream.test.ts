import { describe, expect, it } from 'vitest';
import { receiveStream, sendStream } from './port-stream.ts';

const bytes = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

describe('a stream through a port', () => {
  it('arrives complete and in order, and for a view, only its own bytes are sent', async () => {
    const large = bytes('0123456789');
    const parts = [bytes('a'), large.subarray(3, 5), bytes('z')];
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    const received = receiveStream(sendStream(source));
    expect(await new Response(received).text()).toBe('a34z');
    expect(large).toHaveLength(10);
  });

  it('is split into parts of limited size', async () => {
    const source = new Blob([new Uint8Array(1_000_000).fill(7)]);
    const whole = new Response(await source.arrayBuffer()).body as ReadableStream<Uint8Array<ArrayBuffer>>;
    const sizes: number[] = [];
    for await (const part of receiveStream(sendStream(whole))) sizes.push(part.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_000_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(262_144);
  });

  it('is read only as fast as the receiver consumes it', async () => {
    let made = 0;
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>(
      { pull: (controller) => controller.enqueue(bytes(String(made++))) },
      { highWaterMark: 0 },
    );
    const reader = receiveStream(sendStream(endless)).getReader();
    for (const expected of ['0', '1']) expect(new TextDecoder().decode((await reader.read()).value)).toBe(expected);
    expect(made).toBe(2);
    await reader.cancel();
  });

  it('ends with the error of its source', async () => {
    const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.error(new Error('cut off')),
    });
    await expect(new Response(receiveStream(sendStream(broken))).text()).rejects.toThrow('cut off');
  });

  it('cancels its source when the receiver cancels', async () => {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.enqueue(bytes('more')),
      cancel: () => resolve(),
    });
    const reader = receiveStream(sendStream(source)).getReader();
    await reader.read();
    await reader.cancel();
    await cancelled;
  });
});
