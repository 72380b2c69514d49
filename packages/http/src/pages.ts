import { WIDGET_FILES } from '@broadsheet/ad-widget/files';
import type { OpenApiDocument } from '@broadsheet/contract';
import { Failure } from '@broadsheet/core';
import type { ServerStore } from '@broadsheet/store';
import { assetResponse } from './assets/asset-response.ts';
import { widgetVersion } from './assets/assets.ts';
import { errorList, errorPage } from './docs/error-pages.ts';
import { referencePage } from './docs/reference-page.ts';
import { health, readiness } from './ops/health.ts';
import type { Metrics } from './ops/metrics.ts';

/** What the pages around the API show. */
export interface PagesOptions {
  readonly store: ServerStore;
  readonly metrics: Metrics;
  readonly publicUrl: string;
  readonly stopping: () => boolean;
}

/** Whether a path shows how the server runs or how it is used, which may be kept to another address. */
export function isOperational(path: string): boolean {
  return /^\/(?:metrics|docs|openapi\.json|llms\.txt)(?:\/|$)/.test(path);
}

type Page = (request: Request) => Response | Promise<Response>;

/**
 * Everything a server answers beside the API: health, metrics, documentation and the widget's files. `undefined` for
 * a path that is none of it.
 *
 * @throws Failure `METHOD_NOT_ALLOWED` for anything but a read.
 */
export function createPages({ store, metrics, publicUrl, stopping }: PagesOptions) {
  // Made when it is asked for: the schemas it is made of would be most of what a start loads.
  let document: Promise<OpenApiDocument> | undefined;
  const openApi = () =>
    (document ??= import('@broadsheet/contract/schemas').then(({ openapi }) => openapi({ baseUrl: publicUrl })));
  const pages: Readonly<Record<string, Page>> = {
    '/healthz': health,
    '/readyz': () => readiness(store, stopping()),
    '/metrics': async () => new Response(await metrics.text(), { headers: { 'content-type': metrics.contentType } }),
    '/docs': async () => (await import('./docs/guide-pages.ts')).docsIndex(),
    // Its links are relative to the address without a slash.
    '/docs/': () => new Response(null, { status: 308, headers: { location: '../docs' } }),
    '/docs/reference': async () => referencePage(await openApi(), publicUrl),
    '/llms.txt': async () => (await import('./docs/guide-pages.ts')).llmsText(publicUrl),
    '/errors': errorList,
    '/openapi.json': async () => openApiResponse(await openApi()),
    ...Object.fromEntries(WIDGET_FILES.map((name) => [`/${name}`, (request: Request) => assetResponse(name, request)])),
  };

  return (request: Request, path: string): Response | Promise<Response> | undefined => {
    const page = Object.hasOwn(pages, path) ? pages[path] : (errorCodePage(path) ?? versionedFile(path) ?? guide(path));
    if (!page) return undefined;
    if (request.method === 'GET' || request.method === 'HEAD') return page(request);
    const message = `${request.method} is not a method of ${path}; use GET, HEAD.`;
    throw new Failure('METHOD_NOT_ALLOWED', { message, headers: { allow: 'GET, HEAD' } });
  };
}

function errorCodePage(path: string): Page | undefined {
  const code = /^\/errors\/([^/]+)$/.exec(path)?.[1];
  return code === undefined ? undefined : () => errorPage(code);
}

/** A file of the widget below a folder that names its version; of another version it is today's, and soon asked about again. */
function versionedFile(path: string): Page | undefined {
  const [, version, file] = /^\/broadsheet\/([0-9a-f]+)\/([\w.-]+)$/.exec(path) ?? [];
  const name = WIDGET_FILES.find((known) => known === file);
  return name && (async (request) => assetResponse(name, request, version === (await widgetVersion())));
}

function guide(path: string): Page | undefined {
  const slug = /^\/docs\/([\w/.,-]+)$/.exec(path)?.[1];
  if (slug === undefined) return undefined;
  return async () => {
    const found = slug.startsWith('site/')
      ? await (await import('./docs/built-site.ts')).siteFile(slug.slice('site/'.length))
      : await (await import('./docs/guide-pages.ts')).guidePage(slug);
    if (found) return found;
    throw new Failure('NOT_FOUND', { message: `There is no page ${path}; /docs lists those there are.` });
  };
}

function openApiResponse(document: object): Response {
  return new Response(JSON.stringify(document), {
    headers: {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
    },
  });
}
