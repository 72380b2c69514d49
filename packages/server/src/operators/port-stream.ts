import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** A part of a stream; without a value, the end of the stream. */
interface Part {
  readonly value?: Uint8Array<ArrayBuffer> | undefined;
  readonly error?: string;
}

/** The maximum size of a part. Between parts, the receiving thread can do other work. */
const PART_BYTES = 256 * 1024;

/**
 * Returns a port from which another thread reads a stream with {@link receiveStream}. Parts are read on request. If the
 * stream itself were transferred, it would never end when the other thread ends.
 */
export function sendStream(stream: ReadableStream<Uint8Array<ArrayBuffer>>): MessagePort {
  const { port1: near, port2: far } = new MessageChannel();
  const reader = stream.getReader();
  let rest: Uint8Array<ArrayBuffer> | undefined;
  near.on('message', async () => {
    try {
      if (!rest?.length) rest = (await reader.read()).value;
      // A copy, because a view may be a small part of a large buffer, and the whole buffer would be sent.
      const part: Part = { value: rest?.slice(0, PART_BYTES) };
      rest = rest?.subarray(PART_BYTES);
      near.postMessage(part, part.value ? [part.value.buffer] : []);
    } catch (error) {
      near.postMessage({ error: String(error) } satisfies Part);
    }
  });
  near.on('close', () => void reader.cancel().catch(() => {}));
  near.unref();
  return far;
}

/** The stream that {@link sendStream} sends through a port. */
export function receiveStream(port: MessagePort): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull: (controller) =>
        new Promise((resolve) => {
          const take = (part: Part | undefined): void => {
            port.removeAllListeners();
            if (part?.value) controller.enqueue(part.value);
            else port.close();
            if (part === undefined) controller.error(new Error('The other end is gone.'));
            else if (part.error !== undefined) controller.error(new Error(part.error));
            else if (!part.value) controller.close();
            resolve();
          };
          port.once('message', take);
          port.once('close', () => take(undefined));
          port.postMessage('next');
        }),
      cancel: () => port.close(),
    },
    { highWaterMark: 0 },
  );
}
