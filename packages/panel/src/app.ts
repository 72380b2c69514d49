import { StoreUnavailable } from '@broadsheet/core';
import { assetResponse } from '@broadsheet/http';
import { COMMANDS, type CommandTable, OperationError } from '@broadsheet/management';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { belowBasePath } from './access/base-path.ts';
import { ChangeUnknown, withSecrets } from './access/change-unknown.ts';
import { errorPage, holdBody, mayChange, sameOrigin, signedIn, withBlog, withoutNul } from './access/guard.tsx';
import { HEADERS } from './access/headers.ts';
import type { PanelContext, PanelEnv, Routes } from './access/visit.ts';
import { adRoutes } from './ads/ad.tsx';
import { adListRoutes } from './ads/list.tsx';
import { campaignRoutes } from './campaigns/campaign.tsx';
import { campaignListRoutes } from './campaigns/list.tsx';
import { importRoutes } from './imports/import.tsx';
import { embedRoutes } from './keys/embed.tsx';
import { keyRoutes } from './keys/keys.tsx';
import { overviewRoutes } from './overview/routes.tsx';
import { binRoutes } from './pages/bin.tsx';
import { blogsRoutes } from './pages/blogs.tsx';
import { hookRoutes } from './pages/hooks.tsx';
import { logRoutes } from './pages/log.tsx';
import { peopleRoutes } from './pages/people.tsx';
import { settingsRoutes } from './pages/settings.tsx';
import { sessionRoutes, signInRoutes } from './pages/sign-in.tsx';
import { PANEL_FILES } from './panel-files.ts';
import type { PanelOptions } from './panel-options.ts';
import { postListRoutes } from './posts/list.tsx';
import { postRoutes } from './posts/post.tsx';
import { reportRoutes } from './reports/report.tsx';

const SIGN_IN_BYTES = 64 * 1024;
export const FORM_BYTES = 4 * 1024 * 1024;
export const IMPORT_BYTES = 64 * 1024 * 1024;

/** The maximum number of bytes of the form at a path, which ends with the name of its command. */
export function formBytes(path: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'import') return IMPORT_BYTES;
  const row = Object.hasOwn(COMMANDS, name) ? (COMMANDS as CommandTable)[name] : undefined;
  return Math.max(FORM_BYTES, row?.bodyBytes ?? 0);
}

const MEBIBYTE = 1024 * 1024;
const sizeOf = (bytes: number): string => (bytes < MEBIBYTE ? `${bytes / 1024} KiB` : `${bytes / MEBIBYTE} MiB`);

const NOT_FOUND = 'Page not found. It may have been deleted, or the URL is wrong.';

const ALREADY_SENT =
  'This form was already sent, and its changes were made only once. Go back and reload the page to see them. If it created a key or a link that was not shown to you, revoke that and create another.';

export function createApp(options: PanelOptions): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>({ strict: false });
  app.notFound(() => errorPage(404, NOT_FOUND));
  app.onError((error, c) => respondWithError(error, c, options));
  // Other sites cannot guess secrets from the size of a page: the session's cookie is SameSite=Strict.
  app.use(compress());
  app.use(belowBasePath(options.publicUrl));
  const limit = (maxSize: number) =>
    bodyLimit({
      maxSize,
      onError: () =>
        errorPage(413, `The form exceeds the limit of ${sizeOf(maxSize)}. Shorten the text or choose a smaller file.`),
    });
  app.get(
    '/panel/assets/icon.svg',
    () => new Response(ICON, { headers: { ...HEADERS, 'content-type': 'image/svg+xml' } }),
  );
  for (const file of PANEL_FILES) app.get(`/panel/assets/${file.name}`, (c) => assetResponse(file, c.req.raw));
  reportRoutes(app, options);
  app.use('/panel/*', withoutNul);
  app.use('/panel/*', sameOrigin(options));
  app.use('/panel/sign-in', limit(SIGN_IN_BYTES));
  signInRoutes(app, options);
  app.use('/panel/*', signedIn(options));
  // A body is read only after its sender is known.
  app.use('/panel/*', (c, next) => limit(formBytes(c.req.path))(c, next));
  app.use('/panel/*', holdBody(formBytes));
  app.use('/panel/*', mayChange(options));
  for (const add of [sessionRoutes, blogsRoutes, peopleRoutes, logRoutes]) add(app, options);
  app.use('/panel/:blog/*', withBlog(options));
  for (const add of OF_BLOGS) add(app, options);
  return app;
}

const OF_BLOGS: readonly Routes[] = [
  overviewRoutes,
  adListRoutes,
  adRoutes,
  campaignListRoutes,
  campaignRoutes,
  postListRoutes,
  postRoutes,
  keyRoutes,
  embedRoutes,
  hookRoutes,
  importRoutes,
  binRoutes,
  settingsRoutes,
];

/** The page for an error: the page of its form, with the problems, if there is one. */
async function respondWithError(error: Error, c: PanelContext, { log }: PanelOptions): Promise<Response> {
  if (error instanceof StoreUnavailable)
    return errorPage(503, 'The database cannot be reached. Try again in a moment.');
  const unknown = withSecrets(error, () => []);
  if (unknown instanceof ChangeUnknown) return errorPage(500, unknown.text, 'Not known');
  if (error instanceof OperationError) {
    const { code, problems, message } = error;
    if (code === 'FORBIDDEN') return errorPage(403, 'You are not allowed to do this.');
    if (code === 'ALREADY_SENT') return errorPage(409, ALREADY_SENT, 'Already sent');
    if (code === 'NOT_FOUND') return errorPage(404, NOT_FOUND);
    const status = code === 'CONFLICT' ? 409 : 400;
    return c.get('again')?.(problems, status) ?? errorPage(status, message);
  }
  log?.error({ cause: error }, 'a request for the panel failed');
  return errorPage(500, 'Something went wrong. See the server log for details.');
}

/** The icon in the browser's tab: the first letter of the masthead. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#a32e1b"/><path fill="#faf6ec" d="M8 6h10q7 0 7 5.2 0 3.6-3.6 4.6 4.6.8 4.6 5.2 0 5-8 5H8v-2.2h2.4V8.2H8zm6.4 2.2v6.8h2.8q3.6 0 3.6-3.6 0-3.2-3.4-3.2zm0 9v6.6h3.2q4 0 4-3.4 0-3.2-4-3.2z"/></svg>`;
