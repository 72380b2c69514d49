import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The behavior of a proxy between a program and PostgreSQL. */
export interface Between {
  /** A response to the first message of a connection, in place of PostgreSQL's. */
  refuse?(startup: Buffer): Buffer | undefined;
  /** Whether a message of PostgreSQL is passed on. `type` is its letter; connections are numbered from 1. */
  passes?(type: string, connection: number): boolean;
}

/** Starts a proxy between a test and its PostgreSQL, such as a connection pool. Returns the URL of the proxy. */
export async function betweenPostgres(url: string, { refuse, passes = () => true }: Between): Promise<string> {
  const host = new URL(url.replace('@/', '@host/')).searchParams.get('host') ?? '';
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    const connection = ++connections;
    sockets.add(client);
    client.on('error', () => {});
    client.once('data', (startup: Buffer) => {
      const refusal = refuse?.(startup);
      if (refusal) return client.end(refusal);
      const postgres = connect(`${host}/.s.PGSQL.5432`);
      sockets.add(postgres);
      postgres.on('error', () => {});
      postgres.write(startup);
      client.pipe(postgres);
      let rest = Buffer.alloc(0);
      postgres.on('data', (chunk: Buffer) => {
        rest = Buffer.concat([rest, chunk]);
        while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
          const message = rest.subarray(0, rest.readUInt32BE(1) + 1);
          rest = rest.subarray(message.length);
          if (passes(String.fromCharCode(message[0] ?? 0), connection)) client.write(message);
        }
      });
      postgres.on('end', () => client.end());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return url.replace('@/', `@127.0.0.1:${port}/`).replace(/\?.*/, '');
}

/** The message with which PostgreSQL closes a connection. */
export function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
