import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import type { ServerOptions } from '../../http/src/server-options.ts';
import { createServer } from '../src/create-server.ts';

/** A server in this process. */
export interface InProcessServer {
  readonly url: string;
  /** Its own connection to the database. */
  readonly store: SqlStore;
  stop(): Promise<void>;
}

/**
 * Serves a database from this process and thread, on a free port. A new process, or the thread of the panel, would
 * first load all sources again.
 */
export async function serveInProcess(
  database: string,
  options: Omit<ServerOptions, 'store' | 'port'> = {},
): Promise<InProcessServer> {
  // Without the URL of its database, the panel and `/manage` need no thread of their own.
  const { databaseUrl: _, ...store } = await openStore(database, { secret: options.secret });
  const server = await createServer({ ...options, store, port: 0 });
  return {
    url: server.url,
    store,
    async stop() {
      await server.close();
      await store.close();
    },
  };
}
