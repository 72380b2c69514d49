import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds between two looks for connections that fell idle. */
const SWEEP = 50;

/** How long a server that stops waits for others, in milliseconds from the stop. */
export interface Patience {
  /** The least a stop takes. */
  readonly least: number;
  /** When idle connections begin to be closed. */
  readonly idle: number;
  /** When whatever still runs is cut off. */
  readonly all: number;
}

/**
 * Stops accepting and resolves when the last connection is closed. A proxy may be sending its next request on a
 * connection that is idle for us, and would not dare to repeat it elsewhere. So nothing is closed under it: the next
 * answer on each connection says `Connection: close`, and only what is idle for long is closed by us.
 */
export async function drain(server: Server, { least, idle, all }: Patience): Promise<void> {
  const closed = once(server, 'close');
  server.prependListener('request', (_, outgoing: ServerResponse) => {
    outgoing.shouldKeepAlive = false;
  });
  // That of node:http closes every idle connection at once.
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
