import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds between two checks whether a client has read some of its response. */
const PATIENCE = 30_000;

/**
 * Ends the connection of a client that does not read its response, which would keep its memory for as long as the client
 * likes. A response that is not ready yet, and a request that is still arriving, have limits of their own.
 */
export function endUnreadResponses(server: Server): void {
  server.timeout = PATIENCE;
  const watch = (_: unknown, outgoing: ServerResponse) => outgoing.on('timeout', endIfUnread);
  server.on('request', watch);
  server.on('checkExpectation', watch);
}

/** Node emits `timeout` when no byte was received or sent since the last check. */
function endIfUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
