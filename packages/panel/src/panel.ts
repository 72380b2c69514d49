import type { PanelOptions } from './panel-options.ts';
import { registerJsx } from './register-jsx.ts';

/**
 * The panel and the reports of campaigns: one function from a request below `/panel` or `/report` to its response. The
 * code of the pages is loaded at the first request.
 *
 * @example
 * ```ts
 * const respond = createPanelApp({ store, runAlone: createImportQueue() });
 * const response = await respond(new Request('https://blog.example/panel'));
 * ```
 */
export function createPanelApp(options: PanelOptions): (request: Request) => Promise<Response> {
  let app: ReturnType<typeof load> | undefined;
  return async (request) => {
    app ??= load(options);
    return (await app).fetch(request, {});
  };
}

async function load(options: PanelOptions) {
  if (import.meta.url.endsWith('.ts')) await registerJsx();
  const { createApp } = await import('./app.ts');
  return createApp(options);
}
