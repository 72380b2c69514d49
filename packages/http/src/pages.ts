import { WIDGET_FILES, type WidgetFileName } from '@broadsheet/ad-widget/files';
import { errorText } from '@broadsheet/contract';
import { ApiError, type Clock, mediaResponse } from '@broadsheet/core';
import type { ServerStore } from '@broadsheet/management';
import { assetResponse } from './assets/asset-response.ts';
import { widgetVersion } from './assets/assets.ts';
import { markdownIndex, markdownPage } from './docs/plain-page.ts';
import { isInSite, sitePage, siteText } from './docs/site.ts';
import { loadAdapter } from './door/page-door.ts';
import { createReadiness, health } from './ops/health.ts';
import type { Metrics } from './ops/metrics.ts';

/** Options of {@link createPages}. */
export interface PagesOptions {
  readonly store: ServerStore;
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

type PageHandler = (request: Request) => Response | Promise<Response>;

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
  const pages: Readonly<Record<string, PageHandler>> = {
    '/healthz': health,
    '/readyz': createReadiness(store, clock, stopping),
    '/metrics': async () => {
      const { body, contentType } = await metrics.text();
      return new Response(body, { headers: { 'content-type': contentType } });
    },
    '/docs': () => new Response(null, { status: 308, headers: { location: 'docs/' } }),
    '/llms.txt': () => forAssistants('llms.txt'),
    '/llms-full.txt': () => forAssistants('llms-full.txt'),
    '/errors': () => errorPage(undefined, docsElsewhere),
    '/openapi.json': async () => openApiResponse(await openApi()),
    ...Object.fromEntries(WIDGET_FILES.map((name) => [`/${name}`, (request: Request) => plainFile(name, request)])),
  };

  async function forAssistants(name: string): Promise<Response> {
    const text =
      (await siteText(name, publicUrl)) ?? (name === 'llms.txt' ? await markdownIndex(publicUrl) : undefined);
    if (text === undefined) throw notBuilt(`/${name}`);
    return textResponse(text);
  }

  return (request: Request, path: string): Response | Promise<Response> | undefined => {
    const page = Object.hasOwn(pages, path)
      ? pages[path]
      : (errorCodePage(path, docsElsewhere) ??
        mediaFile(path, store) ??
        versionedFile(path) ??
        documentation(path, publicUrl));
    if (!page) return undefined;
    if (request.method === 'GET' || request.method === 'HEAD') return page(request);
    const message = `${request.method} is not a method of ${path}; use GET, HEAD.`;
    throw new ApiError('METHOD_NOT_ALLOWED', { message, headers: { allow: 'GET, HEAD' } });
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

function mediaFile(path: string, store: ServerStore): PageHandler | undefined {
  if (!path.startsWith('/media/')) return undefined;
  return async (request) => {
    const image = await mediaResponse(request, store);
    if (!image) throw new ApiError('NOT_FOUND', { message: `There is no image ${path}.` });
    return image;
  };
}

function errorCodePage(path: string, docsElsewhere: boolean): PageHandler | undefined {
  const code = /^\/errors\/([^/]+)$/.exec(path)?.[1];
  return code === undefined ? undefined : () => errorPage(code, docsElsewhere);
}

/** Redirects to the page of an error code, or of all codes; without the documentation, returns plain text. */
async function errorPage(code: string | undefined, docsElsewhere: boolean): Promise<Response> {
  const text = errorText(code);
  if (text === undefined)
    throw new ApiError('NOT_FOUND', { message: 'There is no such error code; /errors lists all codes.' });
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

/** A file of the widget below a version. For any other version it is the current file, with a short freshness. */
function versionedFile(path: string): PageHandler | undefined {
  const [, version, file] = /^\/broadsheet\/([\w.-]+)\/([\w.-]+)$/.exec(path) ?? [];
  const name = WIDGET_FILES.find((known) => known === file);
  return name && (async (request) => assetResponse(name, request, version === (await widgetVersion())));
}

function documentation(path: string, publicUrl: string): PageHandler | undefined {
  const page = /^\/docs\/(.*)$/.exec(path)?.[1];
  if (page === undefined) return undefined;
  return async (request) => {
    const found = await sitePage(page, request, { api: new URL(publicUrl).origin });
    if (found) return found;
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
    throw new ApiError('NOT_FOUND', { message: `There is no page ${path}; /docs/ links to all pages.` });
  };
}

function notBuilt(path: string): ApiError {
  return new ApiError('NOT_FOUND', {
    message: `There is no ${path}. "pnpm run docs" in the clone builds the whole documentation; until then, /docs/ has the guides, and /openapi.json describes the API.`,
  });
}

function textResponse(text: string | Uint8Array<ArrayBuffer>): Response {
  return new Response(text, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    },
  });
}

function openApiResponse(document: string): Response {
  return new Response(document, {
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
    },
  });
}
