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
import { createPanelApp } from '@broadsheet/panel';
import { createImportQueue } from './import-queue.ts';
import type { OperatorsOptions } from './operators-options.ts';

/** Handles requests for the panel, for reports and for `/manage` over one store. */
export function createHandler(options: OperatorsOptions): (request: Request) => Response | Promise<Response> {
  const { store, clock = Date, log } = options;
  const runAlone = createImportQueue();
  const panel = createPanelApp({ ...options, runAlone });
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
        return runAlone(client, async (signal) => run({ ...call, actor: await verify() }, signal));
      }),
    report: (cause) => log?.error({ cause: String(cause) }, 'a request for management failed'),
  };
  return (request) => (isManagement(request) ? manage(request, host) : panel(request));
}
