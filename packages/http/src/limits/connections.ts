import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../ops/log.ts';

/** File descriptors that are reserved for the database and files. */
const RESERVED = 64;
/** Milliseconds between two reports of refused connections. */
const REPORT_EVERY = 1000;

/**
 * Limits connections before the process runs out of file descriptors, and logs refused ones. Otherwise the system would
 * drop connections silently, and the database could not open its files. At the limit, a new connection replaces the
 * oldest one that has had no response, so that clients that send nothing do not keep others out.
 */
export function limitConnections(server: Server, log: Logger | undefined): void {
  const limit = fileDescriptorLimit();
  if (limit === undefined) return;
  const maxConnections = limit - Math.min(RESERVED, Math.ceil(limit / 2));
  server.maxConnections = maxConnections;
  const sockets = new Set<Socket>();
  let refused = 0;
  let quietUntil = 0;
  const report = () => {
    refused += 1;
    const now = performance.now();
    if (now < quietUntil) return;
    log?.error(
      { refused, maxConnections },
      'connections are refused: raise the limit of open files (LimitNOFILE, ulimit -n)',
    );
    [refused, quietUntil] = [0, now + REPORT_EVERY];
  };
  server.on('drop', report);
  server.on('connection', (socket) => {
    if (sockets.size >= maxConnections - 1 && endSilent(sockets)) report();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}

/** Ends the oldest connection that has had no response, if there is one. */
function endSilent(sockets: ReadonlySet<Socket>): boolean {
  for (const socket of sockets) {
    if (socket.bytesWritten > 0 || socket.destroyed) continue;
    socket.destroy();
    return true;
  }
  return false;
}

/** How many files this process may have open, where the system reports it. */
function fileDescriptorLimit(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
