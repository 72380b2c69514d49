import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A connection through the proxy. */
export interface Link {
  /** Its number, from 1. */
  readonly number: number;
  /** Breaks the connections to both sides. */
  cut(): void;
  /** Breaks only the connection to the client, as a network does that fails: PostgreSQL waits for the client. */
  leave(): void;
}

/** The behavior of a proxy between a program and PostgreSQL. */
export interface Between {
  /** A response to the first message of a connection, in place of PostgreSQL's. */
  refuse?(startup: Buffer): Buffer | undefined;
  /** Whether a message of the client is passed on. `type` is its letter, and `text` its content. */
  sends?(type: string, text: string, link: Link): boolean;
  /** Whether a message of PostgreSQL is passed on. `type` is its letter; connections are numbered from 1. */
  passes?(type: string, connection: number, link: Link, text: string): boolean;
}

/** A proxy that is listening. */
export interface PostgresProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  close(): void;
}

/** Starts a proxy between a program and its PostgreSQL, such as a connection pool or a bad network. */
export async function proxyPostgres(url: string, between: Between): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    const number = ++connections;
    sockets.add(client);
    client.on('error', () => {});
    client.once('data', (startup: Buffer) => {
      const refusal = between.refuse?.(startup);
      if (refusal) return client.end(refusal);
      const postgres = dial(url);
      sockets.add(postgres);
      postgres.on('error', () => client.destroy());
      postgres.write(startup);
      forward(client, postgres, between, number);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: url.replace(/@[^/]*\//, `@127.0.0.1:${port}/`).replace(/\?.*/, ''),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Connects to the PostgreSQL of a URL, whose host may be the folder of a socket. */
function dial(url: string): Socket {
  const { hostname, port, searchParams } = new URL(url.replace('@/', '@socket/'));
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.5432`) : connect(Number(port || 5432), host);
}

function forward(client: Socket, postgres: Socket, between: Between, number: number): void {
  const { sends = () => true, passes = () => true } = between;
  let isLeft = false;
  const link: Link = {
    number,
    cut() {
      client.destroy();
      postgres.destroy();
    },
    leave() {
      isLeft = true;
      client.destroy();
    },
  };
  client.on('close', () => {
    if (!isLeft) postgres.end();
  });
  client.on(
    'data',
    inMessages((message, type, text) => sends(type, text, link) && postgres.write(message)),
  );
  postgres.on(
    'data',
    inMessages((message, type, text) => passes(type, number, link, text) && client.write(message)),
  );
  postgres.on('end', () => client.end());
}

/** Splits chunks into messages: a letter, the length of the rest, and the content. */
function inMessages(receive: (message: Buffer, type: string, text: string) => unknown): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const message = rest.subarray(0, rest.readUInt32BE(1) + 1);
      rest = rest.subarray(message.length);
      receive(message, String.fromCharCode(message[0] ?? 0), message.toString('latin1', 5).replace(/\0$/, ''));
    }
  };
}
