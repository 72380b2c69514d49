import {
  createServer as createHttpServer,
  createSendRequest,
  type ServerOptions as HttpServerOptions,
  type RunningServer,
} from '@broadsheet/http';
import { WebhookSender } from '@broadsheet/management';
import { createOperators } from './operators/operators.ts';

/** Milliseconds that panel requests have to finish when the server stops. A stop takes 10 s at most. */
const PANEL_PATIENCE = 8000;

/** The options of {@link createServer}. */
export type ServerOptions = Omit<HttpServerOptions, 'measures' | 'slowPaths'>;

/**
 * Starts the API over a store behind `node:http`, with health, metrics, documentation and the panel, and resolves when
 * it listens. The panel is at `/panel` once a person has been invited, and remote management at `/manage` once a token
 * has been created. If several servers share a database, one of them sends its webhooks.
 *
 * @throws the error of the system (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`) when it cannot listen, and
 * `StoreUnavailable` when the store cannot return its secret.
 *
 * @example
 * ```ts
 * const store = await openStore('sqlite:./broadsheet.db');
 * const server = await createServer({ store, port: 4500 });
 * console.log(server.url);
 * await server.close();
 * await store.close();
 * ```
 */
export async function createServer(options: ServerOptions): Promise<RunningServer> {
  const { store, publicUrl, secret, log, clock, extraRoutes, allowPrivateWebhooks = false } = options;
  const operators = createOperators({ store, publicUrl, secret, log, clock });
  const server = await createHttpServer({
    ...options,
    ...operators,
    extraRoutes: (request, caller) => operators.extraRoutes(request, caller) ?? extraRoutes?.(request, caller),
  });
  const sender = new WebhookSender({
    outbox: store.outbox,
    send: createSendRequest({ allowPrivate: allowPrivateWebhooks }),
    clock: clock ?? Date,
    report: (message, cause) => log?.warn({ cause }, message),
  });
  sender.start();
  return {
    ...server,
    async close(patience) {
      // Closes the panel before the server cuts off connections, so that its import is rolled back and gets a 503.
      const late = setTimeout(() => void operators.close(), PANEL_PATIENCE);
      await Promise.all([server.close(patience), sender.stop()]);
      clearTimeout(late);
      await operators.close();
    },
  };
}
