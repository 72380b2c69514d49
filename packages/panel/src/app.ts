import { StoreUnavailable } from '@broadsheet/core';
import { assetResponse } from '@broadsheet/http';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { mayChange, type PanelEnv, refuse, sameOrigin, signedIn, withBlog } from './door/guard.tsx';
import { HEADERS } from './door/policy.ts';
import { ICON } from './layout/icon.ts';
import { overviewRoutes } from './pages/overview-routes.tsx';
import { signInRoutes } from './pages/sign-in.tsx';
import type { PanelOptions } from './panel.ts';

const FORM_BYTES = 4 * 1024 * 1024;
const IMPORT_BYTES = 64 * 1024 * 1024;

/** Every page of the panel behind its guards. */
export function createApp(options: PanelOptions): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>({ strict: false });
  app.notFound(() =>
    refuse(404, 'There is nothing here for you. It may have been deleted, or the address is mistyped.'),
  );
  app.onError((error) => {
    if (error instanceof StoreUnavailable) return refuse(503, 'The database cannot be reached. Try again in a moment.');
    options.log?.error({ cause: error }, 'a request for the panel failed');
    return refuse(500, 'The server made a mistake; its log says which. Nothing more was changed.');
  });
  const limit = (maxSize: number) =>
    bodyLimit({ maxSize, onError: () => refuse(413, `That is more than ${maxSize / 1024 / 1024} MiB.`) });
  const [small, large] = [limit(FORM_BYTES), limit(IMPORT_BYTES)];

  app.get(
    '/panel/assets/icon.svg',
    () => new Response(ICON, { headers: { ...HEADERS, 'content-type': 'image/svg+xml' } }),
  );
  for (const name of ['panel.js', 'panel.css', 'panel-preview.js'] as const)
    app.get(`/panel/assets/${name}`, (c) => assetResponse(name, c.req.raw));
  app.use('/panel/*', sameOrigin(options));
  app.use('/panel', signedIn(options));
  app.use('/panel/*', (c, next) => (c.req.path.endsWith('/import') ? large : small)(c, next));
  signInRoutes(app, options);
  app.use('/panel/*', signedIn(options), mayChange);
  app.use('/panel/:blog/*', async (c, next) => (PEOPLE.has(c.req.param('blog')) ? next() : withBlog(c, next)));
  overviewRoutes(app, options);
  return app;
}

/** First words of addresses that are no blog's. */
const PEOPLE = new Set(['blogs', 'people', 'log', 'sign-out']);
