import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes as they are and reads until the server closes. */
export async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('latin1');
  let response = '';
  socket.on('data', (text) => (response += text));
  socket.on('error', () => {});
  // Not `end`: a server that sees the end before it has responded closes the connection without a response.
  socket.write(bytes);
  await once(socket, 'close');
  return response;
}
