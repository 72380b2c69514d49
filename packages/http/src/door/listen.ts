import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Binds the server and returns its URL. @throws the error of the system, with its `code` (`EADDRINUSE`, …) */
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
