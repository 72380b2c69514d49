import { setImmediate as turn } from 'node:timers/promises';
import {
  answerVerb,
  createBlogVerbs,
  isManagement,
  type ManagementHost,
  manage,
  type Verbs,
} from '@broadsheet/management';
import { createApp } from './app.ts';
import { alone } from './imports/progress.ts';
import type { PanelOptions } from './panel-options.ts';

/** Answers requests for the panel and for `/manage` over one store. */
export function createHandler(options: PanelOptions): (request: Request) => Response | Promise<Response> {
  const { store, clock = Date, log } = options;
  const app = createApp(options);
  const verbs: Partial<Verbs> = {
    ...createBlogVerbs(store),
    // Other requests have a turn of the event loop while an import runs.
    importParts: (blogId, parts, now, how) =>
      alone(() => store.importParts(blogId, parts, now, { ...how, onProgress: () => turn() })),
  };
  const host: ManagementHost = {
    findToken: (token) => store.findToken(token, clock.now()),
    listBlogIds: async () => (await store.listBlogs()).map(({ id }) => id),
    run({ blogId = '', verb, args }) {
      // The types of the arguments were checked by the rule of the verb.
      const run = verbs[verb] as (blogId: string, ...args: readonly unknown[]) => Promise<unknown>;
      return answerVerb(() => run(blogId, ...args));
    },
    writeLog: store.writeLog,
    report: (cause) => log?.error({ cause: String(cause) }, 'a request for management failed'),
  };
  return (request) => (isManagement(request) ? manage(request, host) : app.fetch(request));
}
