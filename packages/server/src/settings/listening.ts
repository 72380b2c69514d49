import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Why a port cannot be listened on: tried by doing so for a moment, before anything else is begun. Port 0 always can.
 *
 * @param prefix of the flags that said where to listen: nothing, or `ops-`
 */
export async function whyNotListen(port: number, host: string, prefix: '' | 'ops-' = ''): Promise<string[]> {
  if (port === 0) return [];
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
    return [];
  } catch (error) {
    return [explain((error as NodeJS.ErrnoException).code, port, host, `--${prefix}`)];
  }
}

function explain(code: string | undefined, port: number, host: string, flag: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${flag}port: ${port} on ${host} is in use by another program; stop it, or give another port (0 takes a free one)`;
    case 'EACCES':
      return `${flag}port: this user may not listen on ${port}; give a port above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${flag}host: ${host} is no address of this machine`;
    default:
      return `cannot listen on ${host}:${port}: ${code ?? 'unknown error'}`;
  }
}
