import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between two checks for idle connections. */
const SWEEP = 50;

/** The time limits of a stop, in milliseconds from its start. */
export interface Patience {
  /** The minimum duration of a stop. */
  readonly least: number;
  /** When idle connections begin to be closed. */
  readonly idle: number;
  /** When all remaining connections are cut off. */
  readonly all: number;
}

/**
 * Stops accepting connections and resolves when the last one is closed. A proxy may be sending its next request on a
 * connection that looks idle here, and cannot safely retry it elsewhere. So the next response on each connection says
 * `Connection: close`, and only connections that stay idle for long are closed from this side.
 */
export async function drain(server: Server, { least, idle, all }: Patience): Promise<void> {
  const closed = once(server, 'close');
  server.prependListener('request', (_, outgoing: ServerResponse) => {
    outgoing.shouldKeepAlive = false;
  });
  // `close()` of node:http would close every idle connection immediately.
  NetServer.prototype.close.call(server);
  let sweep: NodeJS.Timeout | undefined;
  const closeIdle = () => {
    server.closeIdleConnections();
    sweep = setInterval(() => server.closeIdleConnections(), SWEEP);
  };
  const timers = [setTimeout(closeIdle, idle), setTimeout(() => server.closeAllConnections(), all)];
  try {
    await Promise.all([closed, wait(least)]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    clearInterval(sweep);
  }
}
