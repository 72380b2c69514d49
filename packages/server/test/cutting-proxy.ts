import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

const DELIVERY = /^(GET|POST) \/public\/ads\/formats/;

/** A TCP proxy that can cut the connection during the response to a delivery, after the server has counted it. */
export interface CuttingProxy {
  readonly url: string;
  /** Cuts the response to the next delivery after this many bytes. */
  cutNext(bytes: number): void;
  /** The number of delivery requests so far. */
  readonly deliveries: number;
  /** The number of connections that were cut. */
  readonly cuts: number;
  /** The length in bytes of the last response to a delivery that arrived in full. */
  readonly length: number;
}

/** Starts a proxy in front of a server. It is closed when the test finishes. */
export async function startCuttingProxy(upstream: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(upstream);
  const state = { deliveries: 0, cuts: 0, length: 0 };
  let next: number | undefined;
  const server = createServer((client) => {
    const origin = connect(Number(port), hostname);
    let [isDelivery, received] = [false, 0];
    let limit: number | undefined;
    for (const [from, to] of [
      [client, origin],
      [origin, client],
    ] as const)
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    client.on('data', (chunk) => {
      const start = chunk.toString('latin1', 0, 40);
      if (/^[A-Z]+ \//.test(start)) {
        isDelivery = DELIVERY.test(start);
        received = 0;
        if (isDelivery) {
          state.deliveries += 1;
          limit = next;
          next = undefined;
        }
      }
      origin.write(chunk);
    });
    origin.on('data', (chunk) => {
      received += chunk.length;
      if (isDelivery) state.length = received;
      if (limit === undefined || received <= limit) return void client.write(chunk);
      state.cuts += 1;
      client.end(chunk.subarray(0, limit - (received - chunk.length)));
      origin.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutNext: (bytes) => {
      next = bytes;
    },
    get deliveries() {
      return state.deliveries;
    },
    get cuts() {
      return state.cuts;
    },
    get length() {
      return state.length;
    },
  };
}
