import { assetResponse, loadAsset } from '@broadsheet/http';
import type { ServerStore } from '@broadsheet/management';
import { countAds } from './ad-counts.ts';
import { cover } from './art/cover.ts';
import { icon } from './art/icon.ts';
import type { MotifName } from './art/motif.ts';
import { CONTENT_POLICY, pageShell } from './page-shell.ts';
import { DEMO_CSS, DEMO_JS } from './site-files.ts';
import { SECTIONS } from './texts/sections.ts';
import { SPONSORS } from './texts/sponsors.ts';

/** What the demo shows. */
export interface DemoBlog {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}

const PAGE = /^\/(?:(?:posts|categories|tags|sponsors)\/[^/]+|search)?$/;
const ART = /^\/demo\/art\/(covers|sponsors)\/([^/]+)\.svg$/;

/** The demo's own answers, beside those of the server. `blog` is known once the demo has its content. */
export function siteRoutes(store: ServerStore, blog: () => DemoBlog) {
  const since = Date.now();
  return (request: Request): Promise<Response> | Response | undefined => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const { pathname, origin } = new URL(request.url);
    if (PAGE.test(pathname)) return page(blog(), origin);
    if (pathname === '/demo/demo.js') return assetResponse(DEMO_JS, request);
    if (pathname === '/demo/demo.css') return assetResponse(DEMO_CSS, request);
    if (pathname === '/demo/stats') return stats(store, blog().id, since);
    if (pathname === '/demo/art/icon.svg') return svg(icon());
    const [, kind, word] = ART.exec(pathname) ?? [];
    return kind && word ? svg(cover(`${kind}/${word}`, motifOf(kind, word))) : undefined;
  };
}

async function page({ name, apiKey }: DemoBlog, origin: string): Promise<Response> {
  const [css, js] = await Promise.all([loadAsset(DEMO_CSS), loadAsset(DEMO_JS)]);
  const versions = { css: css.version, js: js.version };
  return new Response(pageShell({ blogName: name, origin, apiKey, versions }), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONTENT_POLICY,
      'x-content-type-options': 'nosniff',
      // The ad's click needs the page's origin and nothing more of its address.
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': 'no-cache',
    },
  });
}

async function stats(store: ServerStore, blogId: string, since: number): Promise<Response> {
  return Response.json(await countAds(store, blogId, Date.now(), since), { headers: { 'cache-control': 'no-store' } });
}

function svg(body: string): Response {
  const headers = {
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
    'x-content-type-options': 'nosniff',
  };
  return new Response(body, { headers });
}

/** What a picture of the sample magazine is drawn with; the pictures of other blogs choose for themselves. */
function motifOf(kind: string, word: string): MotifName | undefined {
  if (kind === 'sponsors') return SPONSORS.find(({ slug }) => slug === word)?.motif;
  for (const { motif, articles } of SECTIONS) {
    const article = articles.find(({ slug }) => slug === word);
    if (article) return article.motif ?? motif;
  }
  return undefined;
}
