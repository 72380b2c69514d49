import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Binds the server and tells its URL. @throws the error of the system, with its `code` (`EADDRINUSE`, …) */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  // Rejects with the first `error`, such as a port that is taken.
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return `http://${nameOf(host, address)}:${address.port}`;
}

/** An address that listens everywhere is no address to go to. */
function nameOf(host: string, { address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return 'localhost';
  if (host.includes(':')) return `[${host}]`;
  return family === 'IPv6' && host === address ? `[${address}]` : host;
}

/** Milliseconds between two looks for connections that fell idle. */
const SWEEP = 50;

/**
 * Stops accepting and resolves when the last answer is out. Connections are closed as they fall idle; what still runs
 * after `patience` milliseconds is cut off.
 */
export async function drain(server: Server, patience: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP);
  const giveUp = setTimeout(() => server.closeAllConnections(), patience);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(giveUp);
  }
}
