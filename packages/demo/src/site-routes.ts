import { readFile } from 'node:fs/promises';
import { assetResponse, loadAsset } from '@broadsheet/http';
import { adState } from '@broadsheet/management';
import type { Blog } from '@broadsheet/sdk';
import type { SqlStore } from '@broadsheet/store';
import { html } from 'hono/html';
import { HOOK_PATH } from './sample-activity.ts';
import { CONTENT_POLICY, layout } from './site/layout.ts';
import { isPage, loadPage } from './site/site.ts';
import type { Html } from './site/story.ts';
import { CONTENT, DEMO_CSS, DEMO_JS } from './site-files.ts';

export interface DemoBlog {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}

/** The responses of the demo in addition to those of the server. `client` reads the blog for the pages. */
export function siteRoutes(store: SqlStore, blog: DemoBlog, client: Blog) {
  const since = Date.now();
  return (request: Request): Promise<Response> | undefined => {
    const url = new URL(request.url);
    if (request.method === 'POST' && url.pathname === HOOK_PATH) return received();
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    if (isPage(url.pathname)) return page(blog, client, url);
    if (url.pathname === '/demo/demo.js') return assetResponse(DEMO_JS, request);
    if (url.pathname === '/demo/demo.css') return assetResponse(DEMO_CSS, request);
    if (url.pathname === '/demo/stats') return figures(store, blog.id, since);
    const [, name] = /^\/demo\/art\/([a-z]+\.svg)$/.exec(url.pathname) ?? [];
    return name === undefined ? undefined : picture(name);
  };
}

async function page({ name, apiKey }: DemoBlog, client: Blog, url: URL): Promise<Response> {
  const [content, sections, css, js] = await Promise.all([
    loadPage(client, name, url),
    // The page itself reports errors of the API. Without sections, the navigation still links to the front page.
    client.categories.list().catch(() => []),
    loadAsset(DEMO_CSS),
    loadAsset(DEMO_JS),
  ]);
  const versions = { css: css.version, js: js.version };
  const document = await layout(content, { blogName: name, apiKey, sections, url, versions });
  return new Response(String(document), {
    status: content.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONTENT_POLICY,
      'x-content-type-options': 'nosniff',
      // A click on an ad needs the origin of the page, but not the rest of its URL.
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': 'no-cache',
    },
  });
}

/** The demo receives its own webhooks: its pages are always current, so there is nothing to do. */
const received = async (): Promise<Response> => new Response(null, { status: 204 });

async function figures(store: SqlStore, blogId: string, since: number): Promise<Response> {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(String(await adFigures(store, blogId, since)), { headers });
}

/** The content of the ad desk: the figures of each ad since the day of a timestamp, running ads first. */
async function adFigures(store: SqlStore, blogId: string, since: number): Promise<Html> {
  const from = new Date(since).toISOString().slice(0, 10);
  const [ads, figures] = await Promise.all([store.listAllAds(blogId), store.figures(blogId, { by: ['ad'], from })]);
  const sum = (field: 'delivered' | 'clicks', adId?: string): number =>
    figures.reduce((total, figure) => total + (adId === undefined || figure.ad === adId ? figure[field] : 0), 0);
  const rows = ads
    .map((ad) => ({ ...ad, resting: adState(ad, Date.now()) !== 'running' }))
    .sort((a, b) => Number(a.resting) - Number(b.resting) || a.format.localeCompare(b.format))
    .map(
      ({ id, title, format, resting }) =>
        html`<tr class="${resting ? 'resting' : ''}"><th scope="row"><span>${title ?? id}</span><small>${format}${resting && ', resting'}</small></th><td>${sum('delivered', id)}</td><td>${sum('clicks', id)}</td></tr>`,
    );
  return html`<p class="totals">${sum('delivered')} shown · ${sum('clicks')} clicked</p><table><tbody>${rows}</tbody></table>`;
}

async function picture(name: string): Promise<Response> {
  const body = await readFile(new URL(`art/${name}`, CONTENT)).catch(() => undefined);
  if (!body) return new Response('Picture not found.', { status: 404 });
  const headers = {
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
    'x-content-type-options': 'nosniff',
  };
  return new Response(body, { headers });
}
