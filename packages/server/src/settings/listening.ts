import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Listens on a port briefly before anything else starts, and returns the reason if that is not possible. Port 0 is
 * never refused.
 *
 * @param prefix the prefix of the flags for port and host: nothing, or `ops-`
 */
export async function whyNotListen(port: number, host: string, prefix: '' | 'ops-' = ''): Promise<string[]> {
  if (port === 0) return [];
  const probe = createServer();
  try {
    // As the server does: a kernel without IPv6 has no `::`.
    probe.listen(port, host === '::' ? undefined : host);
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
    return [];
  } catch (error) {
    return [explain((error as NodeJS.ErrnoException).code, port, host, `--${prefix}`)];
  }
}

/** The URL of the server that will listen there; `undefined` for port 0, which means any port. */
export function urlToListen({ port, host }: { readonly port: number; readonly host: string }): string | undefined {
  const isAny = host === '0.0.0.0' || host === '::';
  const name = host.includes(':') ? `[${host}]` : host;
  return port === 0 ? undefined : `http://${isAny ? 'localhost' : name}:${port}`;
}

function explain(code: string | undefined, port: number, host: string, flag: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${flag}port: ${port} on ${host} is in use by another program; stop it, or use another port (0 selects a free one)`;
    case 'EACCES':
      return `${flag}port: this user is not allowed to listen on ${port}; use a port above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${flag}host: ${host} is not an address of this machine`;
    default:
      return `cannot listen on ${host}:${port}: ${code ?? 'unknown error'}`;
  }
}
