import { setImmediate as turn } from 'node:timers/promises';
import {
  COMMANDS,
  type CommandCall,
  type CommandTable,
  commandResponse,
  isManagement,
  type ManagementHost,
  manage,
  runCommand,
} from '@broadsheet/management';
import { createApp } from './app.ts';
import { alone } from './imports/progress.ts';
import type { PanelOptions } from './panel-options.ts';

/** Handles requests for the panel and for `/manage` over one store. */
export function createHandler(options: PanelOptions): (request: Request) => Response | Promise<Response> {
  const { store, clock = Date, log } = options;
  const app = createApp(options);
  const run = (call: CommandCall, signal?: AbortSignal) =>
    // The event loop serves other requests while an import runs.
    runCommand({ store, now: clock.now(), commands: COMMANDS, signal, pause: () => turn() }, call);
  const host: ManagementHost = {
    commands: COMMANDS,
    findToken: (token) => store.findToken(token, clock.now()),
    listBlogIds: async () => (await store.listBlogs()).map(({ id }) => id),
    run: (call, client, verify) =>
      commandResponse(() => {
        if (!(COMMANDS as CommandTable)[call.name]?.alone) return run(call);
        return alone(client, async (signal) => run({ ...call, actor: await verify() }, signal));
      }),
    report: (cause) => log?.error({ cause: String(cause) }, 'a request for management failed'),
  };
  return (request) => (isManagement(request) ? manage(request, host) : app.fetch(request, {}));
}
