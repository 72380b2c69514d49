import { WIDGET_FILES, type WidgetFileName } from '@broadsheet/ad-widget/files';
import { errorText } from '@broadsheet/contract';
import { ApiError, type Clock, mediaResponse } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';
import { assetResponse, widgetVersion } from './assets/assets.ts';
import { markdownIndex, markdownPage } from './docs/plain-page.ts';
import { isInSite, sitePage, siteText } from './docs/site.ts';
import { loadAdapter } from './door/page-door.ts';
import { createReadiness, health } from './ops/health.ts';
import type { Metrics } from './ops/metrics.ts';

/** Options of {@link createPages}. */
export interface PagesOptions {
  readonly store: SqlStore;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly publicUrl: string;
  readonly stopping: () => boolean;
  /** Whether the documentation is only on the operations port, so that `/errors/CODE` must not redirect to it. */
  readonly docsElsewhere: boolean;
}

/** Whether a path belongs to metrics or documentation, which may be moved to another port. */
export function isOperational(path: string): boolean {
  return /^\/(?:metrics|docs|openapi\.json|llms(?:-full)?\.txt)(?:\/|$)/.test(path);
}

/** A page: the pattern of its paths, and its response, which receives the groups of the pattern. */
type Page = readonly [path: RegExp, respond: (request: Request, ...parts: string[]) => Response | Promise<Response>];

const WIDGET_FILE = `(${WIDGET_FILES.join('|').replaceAll('.', '\\.')})`;

/**
 * Serves everything besides the API: health, metrics, documentation, images and the widget's files. Returns
 * `undefined` for any other path.
 *
 * @throws ApiError `METHOD_NOT_ALLOWED` for anything but a read.
 */
export function createPages({ store, clock, metrics, publicUrl, stopping, docsElsewhere }: PagesOptions) {
  // Built on the first request: its schemas would be most of the code that a start loads.
  let document: Promise<string> | undefined;
  const openApi = () =>
    (document ??= loadSchemas().then(({ openapi }) => JSON.stringify(openapi({ baseUrl: publicUrl }))));
  const pages: readonly Page[] = [
    [/^\/healthz$/, health],
    [/^\/readyz$/, createReadiness(store, clock, stopping)],
    [/^\/metrics$/, async () => metricsResponse(await metrics.text())],
    [/^\/docs$/, () => new Response(null, { status: 308, headers: { location: 'docs/' } })],
    [/^\/docs\/(.*)$/, (request, page = '') => documentation(page, request, publicUrl)],
    [/^\/(llms(?:-full)?\.txt)$/, (_, name = '') => forAssistants(name, publicUrl)],
    [/^\/openapi\.json$/, async () => openApiResponse(await openApi())],
    [/^\/errors(?:\/([^/]+))?$/, (_, code) => errorPage(code, docsElsewhere)],
    [/^\/media\/.*$/, (request) => mediaFile(request, store)],
    [new RegExp(`^/${WIDGET_FILE}$`), (request, name) => plainFile(name as WidgetFileName, request)],
    [
      new RegExp(`^/broadsheet/([\\w.-]+)/${WIDGET_FILE}$`),
      (request, version, name) => assetResponse(name as WidgetFileName, request, version),
    ],
  ];
  return (request: Request, path: string): Response | Promise<Response> | undefined => {
    for (const [pattern, respond] of pages) {
      const [found, ...parts] = pattern.exec(path) ?? [];
      if (found === undefined) continue;
      if (request.method === 'GET' || request.method === 'HEAD') return respond(request, ...parts);
      const message = `${request.method} is not allowed for ${path}; use GET, HEAD.`;
      throw new ApiError('METHOD_NOT_ALLOWED', { message, headers: { allow: 'GET, HEAD' } });
    }
    return undefined;
  };
}

const loadSchemas = () => import('@broadsheet/contract/schemas');

/**
 * Loads the modules and files that the first requests for pages need, because an update may replace them while the
 * program runs. Only the documentation is read for each request.
 */
export async function preloadPages(): Promise<void> {
  await Promise.all([loadAdapter(), loadSchemas(), widgetVersion()]);
}

async function mediaFile(request: Request, store: SqlStore): Promise<Response> {
  const image = await mediaResponse(request, store);
  if (!image)
    throw new ApiError('NO_SUCH_ENDPOINT', { message: `There is no image ${new URL(request.url).pathname}.` });
  return image;
}

/** Redirects to the page of an error code, or of all codes; without the documentation, returns plain text. */
async function errorPage(code: string | undefined, docsElsewhere: boolean): Promise<Response> {
  const text = errorText(code);
  if (text === undefined)
    throw new ApiError('NO_SUCH_ENDPOINT', { message: 'There is no such error code; /errors lists all codes.' });
  if (docsElsewhere || !(await isInSite('errors/index.html'))) return textResponse(text);
  const location = code === undefined ? 'docs/errors/' : `../docs/errors/${code}`;
  return new Response(null, { status: 302, headers: { location } });
}

/** A file of the widget under its plain name, with its versioned URL, which never changes, in `Content-Location`. */
async function plainFile(name: WidgetFileName, request: Request): Promise<Response> {
  const response = await assetResponse(name, request);
  response.headers.set('content-location', `broadsheet/${await widgetVersion()}/${name}`);
  return response;
}

async function documentation(page: string, request: Request, publicUrl: string): Promise<Response> {
  const found = await sitePage(page, request, { api: new URL(publicUrl).origin });
  if (found) return found;
  const path = `/docs/${page}`;
  if (!(await isInSite('index.html'))) {
    const plain = await markdownPage(page);
    if (plain) return plain;
    throw notBuilt(path);
  }
  if (request.headers.get('accept')?.includes('text/html')) {
    const headers = { 'accept-encoding': request.headers.get('accept-encoding') ?? '' };
    const missing = await sitePage('404', new Request(request.url, { headers }), { api: '' });
    if (missing) return new Response(missing.body, { status: 404, headers: missing.headers });
  }
  throw new ApiError('NO_SUCH_ENDPOINT', { message: `There is no page ${path}; /docs/ links to all pages.` });
}

async function forAssistants(name: string, publicUrl: string): Promise<Response> {
  const text = (await siteText(name, publicUrl)) ?? (name === 'llms.txt' ? await markdownIndex(publicUrl) : undefined);
  if (text === undefined) throw notBuilt(`/${name}`);
  return textResponse(text);
}

function notBuilt(path: string): ApiError {
  return new ApiError('NO_SUCH_ENDPOINT', {
    message: `There is no ${path}. "pnpm run docs" in the clone builds the whole documentation; until then, /docs/ has the guides, and /openapi.json describes the API.`,
  });
}

function textResponse(text: string): Response {
  return new Response(text, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    },
  });
}

const metricsResponse = ({ body, contentType }: Awaited<ReturnType<Metrics['text']>>): Response =>
  new Response(body, { headers: { 'content-type': contentType } });

function openApiResponse(document: string): Response {
  return new Response(document, {
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
    },
  });
}
