import { StoreUnavailable } from '@broadsheet/core';
import type { PanelOptions } from './panel-options.ts';
import { registerJsx } from './register-jsx.ts';

/** Answers requests below `/panel`; `undefined` passes any other on. */
export type Panel = (request: Request) => Promise<Response> | undefined;

/**
 * The management panel. Its code is loaded at the first request for it, and it is not there until somebody is invited.
 *
 * @example
 * ```ts
 * const server = await createServer({ store, extraRoutes: createPanel({ store }) });
 * ```
 */
export function createPanel(options: PanelOptions): Panel {
  let app: Promise<(request: Request) => Response | Promise<Response>> | undefined;
  const load = async () => {
    if (import.meta.url.endsWith('.ts')) await registerJsx();
    const { createApp } = await import('./app.ts');
    return createApp(options).fetch;
  };
  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== '/panel' && !pathname.startsWith('/panel/')) return undefined;
    return answer(request);
  };

  async function answer(request: Request): Promise<Response> {
    try {
      if (!(await options.store.hasPeople())) return new Response('Not found\n', { status: 404 });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return new Response('The database cannot be reached. Try again in a moment.\n', { status: 503 });
    }
    app ??= load();
    return (await app)(request);
  }
}
