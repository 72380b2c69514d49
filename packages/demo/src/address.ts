import { networkInterfaces } from 'node:os';

const EVERYWHERE = ['0.0.0.0', '::'];

/** The address of this machine in its network, when the demo listens for the network; `undefined` otherwise. */
export function networkAddress(host: string): string | undefined {
  if (!EVERYWHERE.includes(host)) return undefined;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

/** The hosts a reader may see the demo under: the pages that may report clicks. */
export function demoHosts(host: string): string[] {
  const own = EVERYWHERE.includes(host) ? networkAddress(host) : host.includes(':') ? `[${host}]` : host;
  return [...new Set(['localhost', '127.0.0.1', ...(own ? [own] : [])])];
}
