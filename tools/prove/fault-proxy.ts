import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Random } from './random.ts';

/** How a proxy treats the connections that are opened from now on. */
export interface Weather {
  /** The share of connections that are cut after a random number of bytes in one direction. */
  cut: number;
  /** The share of chunks that arrive late, by 300 ms at most. */
  late: number;
  /** The share of chunks after which nothing arrives for three seconds. */
  stall: number;
}

export const CALM: Readonly<Weather> = { cut: 0, late: 0, stall: 0 };
export const STORM: Readonly<Weather> = { cut: 0.05, late: 0.1, stall: 0.005 };

/** A TCP proxy that cuts and delays connections. */
export interface FaultProxy {
  readonly port: number;
  readonly weather: Weather;
  /** Where new connections lead. */
  target: number;
  /** Cuts every open connection. */
  cutAll(): void;
  close(): Promise<void>;
}

/**
 * The maximum number of bytes after which a connection is cut: a keep-alive connection carries some deliveries until
 * then.
 */
const CUT_WITHIN = 12_000;

/** Starts a proxy on this machine. It connects from the address of its client, so that servers can tell readers apart. */
export async function startFaultProxy(target: number, random: Random): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  const weather: Weather = { ...CALM };
  const state = { target };
  const server = createServer((client) => {
    const address = client.remoteAddress?.replace('::ffff:', '');
    const upstream = connect({ port: state.target, host: '127.0.0.1', ...(address && { localAddress: address }) });
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    const direction = random.below(2);
    const ends = random.chance(weather.cut) ? random.below(CUT_WITHIN) : Number.POSITIVE_INFINITY;
    pass(client, upstream, direction === 0 ? ends : Number.POSITIVE_INFINITY, cut);
    pass(upstream, client, direction === 1 ? ends : Number.POSITIVE_INFINITY, cut);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .setNoDelay(true)
        .on('error', cut)
        .on('close', () => {
          sockets.delete(socket);
          cut();
        });
    }
  });
  /** Forwards the data up to a byte at which the connection is cut. */
  function pass(from: Socket, to: Socket, ends: number, cut: () => void): void {
    let left = ends;
    let last = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      from.pause();
      const wait = random.chance(weather.stall) ? 3000 : random.chance(weather.late) ? random.below(300) : 0;
      last = last.then(async () => {
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        to.write(chunk.subarray(0, Math.min(left, chunk.length)));
        left -= chunk.length;
        if (left < 0) to.end(cut);
        else from.resume();
      });
    });
    from.on('end', () => void last.then(() => to.end()));
  }
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    weather,
    get target() {
      return state.target;
    },
    set target(port) {
      state.target = port;
    },
    cutAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
